import CLinux
import Glibc

/// Writes one clip: fragment after fragment, each whole or not at all, and makes a plain movie of it in place.
///
/// One thread owns it. Only `sync()` may be called by another, at the same time as anything else.
///
/// `@unchecked`: `sync()` touches nothing but `output` and `path`, which are immutable and Sendable.
package final class MovieWriter: @unchecked Sendable {
  /// Media of one fragment; its offsets have 31 bits.
  package static let fragmentByteLimit = 1 << 30

  package let path: String
  private let output: any FileOutput
  private let header: MovieHeader
  private let headerBytes: [UInt8]
  private var index: MovieIndex
  private let checksum = Checksum()
  private let gathering: GatheringMemory
  private var head = BoxWriter()
  private var end: Int64
  /// Something that is no fragment may stand behind `end`: the rest of a failed write, or an index not switched to.
  private var hasDebris = false
  private var isClosed = false
  private var isFinished = false

  /// Creates the file, which must not exist (mode 0640), writes its header and makes both durable.
  ///
  /// - Parameter note: what the clip is, for whoever finds only the file; at most 1 MiB.
  package convenience init(
    creating path: String, container: MovieContainer, tracks: [TrackDescription], note: [UInt8] = []
  ) throws(MovieError) {
    try Self.check(container, tracks, note)
    let descriptor = cl_open(path, O_RDWR | O_CREAT | O_EXCL, 0o640)
    guard descriptor >= 0 else { throw .system(-descriptor, "created", path) }
    do {
      try self.init(
        path: path, output: DescriptorOutput(descriptor: descriptor, bypassingCache: true), container: container,
        tracks: tracks, note: note)
      try Self.syncDirectory(of: path)
    } catch {
      // Nothing but our own header is in it.
      unlink(path)
      throw error
    }
  }

  /// Writes the header to an output that is empty so far.
  package init(
    path: String, output: any FileOutput, container: MovieContainer, tracks: [TrackDescription], note: [UInt8] = []
  ) throws(MovieError) {
    try Self.check(container, tracks, note)
    var random = SystemRandomNumberGenerator()
    let (bytes, header) = MovieHeader.encode(
      container, tracks, note: note, nonce: random.next(), blockByteCount: output.blockByteCount)
    gathering = GatheringMemory(staging: output.blockByteCount > 1)
    self.path = path
    self.output = output
    self.header = header
    headerBytes = bytes
    index = MovieIndex(container, tracks)
    end = header.byteCount
    try write(bytes, at: 0)
    try sync()
  }

  deinit {
    output.close()
  }

  private static func check(
    _ container: MovieContainer, _ tracks: [TrackDescription], _ note: [UInt8]
  ) throws(MovieError) {
    guard (1...MovieHeader.trackLimit).contains(tracks.count) else {
      throw .unsupported("a clip with \(tracks.count) tracks (1 to \(MovieHeader.trackLimit) can be)")
    }
    for track in tracks {
      if let objection = track.objection(in: container) { throw .unsupported(objection) }
    }
    guard note.count <= OwnBox.noteLimit else { throw .unsupported("a note of \(note.count) bytes") }
  }

  private static func syncDirectory(of path: String) throws(MovieError) {
    let name = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let directory = cl_open(name, O_RDONLY | O_DIRECTORY, 0)
    guard directory >= 0 else { throw .system(-directory, "opened", name) }
    defer { Glibc.close(directory) }
    // Some file systems cannot sync a directory (EINVAL) and need not.
    if fsync(directory) < 0, errno != EINVAL { throw .system(errno, "synced", name) }
  }

  // MARK: - What it holds

  package var fragmentCount: Int { index.fragmentCount }

  /// Up to the end of the last fragment.
  package var byteCount: Int64 { end }

  /// At least the bytes that `finish()` would append now: what must be kept free on the disk.
  package var indexByteEstimate: Int64 { Int64(index.byteCount) }

  // MARK: - Fragments

  /// Appends a fragment: `[moof][mdat]` and our box with the checksum. It is not durable before the next `sync()`.
  ///
  /// If it throws, the file is cut back to the last whole fragment, and the writer can go on or finish.
  ///
  /// - Parameter note: kept with the fragment, under its checksum; at most 1 MiB.
  package func append(_ fragment: [FragmentTrack], note: [UInt8] = []) throws(MovieError) -> FragmentReceipt {
    guard !isClosed, !isFinished else { throw .closed(path) }
    if hasDebris { cutBack() }
    let mediaByteCount = try check(fragment, note)
    head.removeAll()
    FragmentBox.write(
      fragment, tracks: header.tracks, index: fragmentCount, mediaByteCount: mediaByteCount, to: &head)
    let mediaOffset = end + Int64(head.count)
    let tail = head.count
    let copy = fragmentCount % OwnBox.copyInterval == 0 ? headerBytes : []
    let unpadded = tail + mediaByteCount + OwnBox.byteCount(note: note.count, copy: copy.count)
    OwnBox.write(
      .fragment, number: UInt64(fragmentCount), note: note, copy: copy,
      padding: MovieHeader.padding(after: Int(end) + unpadded, to: output.blockByteCount), to: &head)

    let (failure, newEnd) = put(fragment, tail: tail)
    guard failure == 0 else {
      cutBack()
      throw .system(failure, "written", path)
    }
    let receipt = FragmentReceipt(index: fragmentCount, offset: end, byteCount: newEnd - end)
    end = newEnd
    addToIndex(fragment, mediaOffset: mediaOffset)
    return receipt
  }

  /// Writes what `head` holds up to `tail`, the media, the rest of `head`, and the checksum of all that.
  private func put(_ fragment: [FragmentTrack], tail: Int) -> (failure: Int32, end: Int64) {
    checksum.begin(seed: header.checksum)
    var write = GatheredWrite(output, at: end, checksum: checksum, gathering)
    head.bytes.withUnsafeBytes { head in
      write.add(UnsafeRawBufferPointer(rebasing: head[..<tail]))
      for part in fragment {
        for sample in part.samples {
          for piece in sample.pieces { write.add(piece) }
        }
      }
      write.add(UnsafeRawBufferPointer(rebasing: head[tail...]))
      withUnsafeBytes(of: checksum.value.bigEndian) {
        write.add($0)
        write.flush()
      }
    }
    return (write.failure, write.offset)
  }

  private func check(_ fragment: [FragmentTrack], _ note: [UInt8]) throws(MovieError) -> Int {
    guard note.count <= OwnBox.noteLimit else { throw .badFragment("its note has \(note.count) bytes") }
    var media = 0
    var tracksSeen: UInt64 = 0
    for part in fragment where !part.samples.isEmpty {
      guard header.tracks.indices.contains(part.track), tracksSeen & 1 << UInt64(part.track) == 0 else {
        throw .badFragment("track \(part.track) stands twice in it, or the clip has no such track")
      }
      tracksSeen |= 1 << UInt64(part.track)
      let frameByteCount = header.tracks[part.track].media.pcmFrameByteCount
      var samples = 0
      for sample in part.samples {
        let byteCount = sample.byteCount
        guard byteCount > 0, byteCount <= Self.fragmentByteLimit, (1...Int64(Int32.max)).contains(sample.duration)
        else { throw .badFragment("a sample has \(byteCount) bytes and lasts \(sample.duration) ticks") }
        if let frameByteCount {
          guard byteCount == Int(sample.duration) * frameByteCount, sample.duration <= FragmentSample.pcmFrameLimit
          else { throw .badFragment("\(byteCount) bytes of sound are not \(sample.duration) PCM frames") }
        }
        media += byteCount
        samples += frameByteCount == nil ? 1 : Int(sample.duration)
      }
      let track = index.tracks[part.track]
      guard track.accepts(time: part.firstTime, samples: samples),
        part.firstTime - track.endTime <= Int64(Int32.max)
      else {
        throw .badFragment("track \(part.track) ends at \(track.endTime), the fragment begins at \(part.firstTime)")
      }
    }
    guard media > 0, media <= Self.fragmentByteLimit else { throw .badFragment("it has \(media) bytes of media") }
    return media
  }

  private func addToIndex(_ fragment: [FragmentTrack], mediaOffset: Int64) {
    var offset = mediaOffset
    for part in fragment where !part.samples.isEmpty {
      index.add(part.samples, track: part.track, offset: offset, time: part.firstTime)
      for sample in part.samples { offset += Int64(sample.byteCount) }
    }
    index.countFragment()
  }

  private func cutBack() { hasDebris = output.truncate(to: end) < 0 }

  // MARK: - Durability

  /// Makes durable what was appended before the call began. If it throws, what was appended since the last call
  /// that did not throw may be lost, whatever a later call says: begin a new clip.
  package func sync() throws(MovieError) {
    let result = output.sync()
    if result == -EBADF { throw .closed(path) }
    guard result >= 0 else { throw .system(-result, "synced", path) }
  }

  // MARK: - The end

  /// Makes a plain movie of the clip, in place and durable: the index behind the last fragment, then one write of 16
  /// bytes in front. If it throws, the fragments stand as they did, and it may be called again.
  package func finish() throws(MovieError) -> FinishReport {
    guard !isClosed else { throw .closed(path) }
    guard fragmentCount > 0 else {
      return FinishReport(fragmentCount: 0, byteCount: end, indexByteCount: 0)
    }
    let box = index.movieBox()
    let report = FinishReport(
      fragmentCount: fragmentCount, byteCount: end + Int64(box.count), indexByteCount: Int64(box.count))
    guard !isFinished else { return report }
    do {
      try write(box, at: end)
    } catch {
      cutBack()
      throw error
    }
    if hasDebris {
      let cut = output.truncate(to: report.byteCount)
      guard cut >= 0 else { throw .system(-cut, "cut", path) }
    }
    // Until the switch the index is what a further fragment would overwrite.
    hasDebris = true
    try sync()
    try write(MovieHeader.closedLead(byteCount: end - header.leadOffset), at: header.leadOffset)
    isFinished = true
    try sync()
    return report
  }

  /// Closes the file as it is: readable, and finished by repair if `finish()` did not. Waits for a running `sync()`.
  package func close() {
    isClosed = true
    output.close()
  }

  private func write(_ bytes: [UInt8], at offset: Int64) throws(MovieError) {
    var write = GatheredWrite(output, at: offset, checksum: nil, gathering)
    bytes.withUnsafeBytes {
      write.add($0)
      write.flush()
    }
    guard write.failure == 0 else { throw .system(write.failure, "written", path) }
  }
}
