/// Walks the fragments of a clip, finished or not, and finds those behind a broken one.
///
/// Memory grows with the number of samples, not with the file. Time does not grow beyond a few times the file's
/// length, whatever stands in it.
struct FragmentScan {
  private(set) var fragments: [FragmentInfo] = []
  private(set) var holes: [MovieHole] = []
  /// Of the whole fragments alone.
  private(set) var index: MovieIndex
  /// Where the last whole fragment ends.
  private(set) var end: Int64

  private let input: MovieInput
  private let header: MovieHeader
  private let limit: Int64
  private let parser: FragmentParser
  private let checksum = Checksum()
  private var lastIndex = -1
  /// Bytes that may still be read to look for fragments; crafted files would else be read again and again.
  private var budget: Int64

  private static let movieFragmentLimit = 64 << 20
  /// Of all notes together: a day of fragments with 1 KB each.
  private var noteBudget = 96 << 20

  /// Walks from the header's end up to `limit`: the index, or the end of the file.
  init(_ input: MovieInput, _ header: MovieHeader, limit: Int64) throws(MovieError) {
    self.input = input
    self.header = header
    self.limit = limit
    index = MovieIndex(header.container, header.tracks)
    end = header.byteCount
    parser = FragmentParser(tracks: header.tracks)
    budget = 4 * max(0, limit) + (1 << 20)
    try walk()
  }

  private mutating func walk() throws(MovieError) {
    var at = header.byteCount
    while at < limit {
      if let found = try fragment(at: at) {
        take(found)
        at = found.end
      } else if let found = try nextWhole(after: at) {
        take(found)
        at = found.end
      } else {
        return
      }
    }
  }

  private mutating func take(_ found: FoundFragment) {
    let counts = found.checksumHolds && isNext(found)
    fragments.append(
      FragmentInfo(
        index: found.index, offset: found.offset, byteCount: found.byteCount, checksumHolds: counts,
        note: counts ? found.note : [], sampleCounts: found.sampleCounts(header.tracks),
        lengths: found.lengths(header.tracks.count)))
    guard counts else { return }
    noteBudget -= found.note.count
    if found.offset > end { holes.append(MovieHole(bytes: end..<found.offset, time: timeMissing(before: found))) }
    for run in found.runs { index.add(run.samples, track: run.track, offset: run.mediaOffset, time: run.time) }
    index.countFragment()
    lastIndex = found.index
    end = found.end
  }

  /// Whether it continues what was taken so far; a fragment with a right checksum can be crafted.
  private func isNext(_ found: FoundFragment) -> Bool {
    guard found.index > lastIndex, found.note.count <= noteBudget else { return false }
    return found.runs.allSatisfy { run in
      let samples =
        header.tracks[run.track].media.pcmFrameByteCount == nil
        ? run.samples.count : run.samples.reduce(0) { $0 + Int($1.duration) }
      return index.tracks[run.track].accepts(time: run.time, samples: samples)
    }
  }

  /// Microseconds of the clip that a hole before a fragment has cost.
  private func timeMissing(before found: FoundFragment) -> Range<Int64> {
    var begin = Int64.max
    var end = Int64.min
    for run in found.runs {
      let track = header.tracks[run.track]
      begin = min(begin, track.start &+ track.microseconds(index.tracks[run.track].endTime))
      end = max(end, track.start &+ track.microseconds(run.time))
    }
    return begin..<max(begin, end)
  }

  /// The hole behind the last whole fragment, if anything stands there; `end` of a finished file is its index.
  func tail(upTo end: Int64) -> MovieHole? {
    self.end < end ? MovieHole(bytes: self.end..<end, time: 0..<0) : nil
  }

  // MARK: - One fragment

  private mutating func fragment(at offset: Int64) throws(MovieError) -> FoundFragment? {
    guard budget > 0, let head = try read(offset, 24) else { return nil }
    var reader = BoxReader(head)
    guard let size = reader.u32(), reader.type() == "moof", (32...Self.movieFragmentLimit).contains(Int(size)),
      reader.u32() == 16, reader.type() == "mfhd", let moof = try read(offset, Int(size)),
      let (index, runs, mediaByteCount) = parser.parse(moof, at: offset)
    else { return nil }

    let mediaEnd = offset + Int64(size) + Int64(FragmentBox.mediaHeadByteCount + mediaByteCount)
    guard let mediaHead = try read(offset + Int64(size), FragmentBox.mediaHeadByteCount) else { return nil }
    var mediaReader = BoxReader(mediaHead)
    guard Int(mediaReader.u32() ?? 0) == mediaByteCount + FragmentBox.mediaHeadByteCount, mediaReader.type() == "mdat",
      let boxHead = try read(mediaEnd, OwnBox.headByteCount), let box = OwnBox.readHead(.fragment, boxHead),
      box.number == UInt64(index), mediaEnd + Int64(box.byteCount) <= limit,
      let tail = try read(mediaEnd, box.byteCount)
    else { return nil }

    let end = mediaEnd + Int64(box.byteCount)
    let note = Array(tail[OwnBox.headByteCount..<OwnBox.headByteCount + box.noteByteCount])
    return FoundFragment(
      index: index, offset: offset, byteCount: end - offset,
      checksumHolds: holds(offset..<end - Int64(OwnBox.checksumByteCount), tail), note: note, runs: runs)
  }

  private mutating func holds(_ range: Range<Int64>, _ tail: [UInt8]) -> Bool {
    budget -= Int64(range.count)
    checksum.begin(seed: header.checksum)
    let readable = input.forEachPiece(of: range) { [checksum] piece, _ in
      checksum.add(piece)
      return true
    }
    var stored = BoxReader(Array(tail.suffix(OwnBox.checksumByteCount)))
    return readable && stored.u64() == checksum.value
  }

  /// Bytes before the limit; a sector that cannot be read is no fragment.
  private mutating func read(_ offset: Int64, _ count: Int) throws(MovieError) -> [UInt8]? {
    guard Int64(count) <= limit - offset else { return nil }
    budget -= Int64(count)
    do {
      return try input.bytes(at: offset, count: count)
    } catch {
      if case .failed = error { return nil }
      throw error
    }
  }

  // MARK: - Behind a broken one

  /// The next fragment whose checksum holds. Its name can stand anywhere in the media, so each place is tried.
  private mutating func nextWhole(after offset: Int64) throws(MovieError) -> FoundFragment? {
    let name = Array("moof".utf8)
    var from = offset + 5
    while budget > 0, from < limit, let place = input.firstOffset(of: name, in: from..<limit) {
      budget -= place - from
      if let found = try fragment(at: place - 4), found.checksumHolds, isNext(found) { return found }
      from = place + 1
    }
    return nil
  }
}
