import CLinux
import CamrigModel
import Glibc
import Movie
import TestSupport
import Testing

@Suite("Movie writer")
struct WriterTests {
  private let directory = TemporaryDirectory()
  private var path: String { "\(directory.path)/clip" }

  @Test("finishing appends the index and changes 16 bytes in front, nothing else", arguments: [0, 1])
  func finishInPlace(number: Int) throws {
    let clip = PlayerTests.clips[number]
    let writer = try clip.writer(at: path)
    try clip.append(to: writer)
    let before = FileBytes.read(path)
    #expect(before.count == Int(writer.byteCount))
    let report = try writer.finish()
    writer.close()
    let after = FileBytes.read(path)
    #expect(after.count == Int(report.byteCount))
    #expect(report.byteCount - Int64(before.count) <= report.indexByteCount + 64)
    let changed = before.indices.filter { before[$0] != after[$0] }
    #expect(changed.allSatisfy { (24..<40).contains($0) })
    #expect(!changed.isEmpty)
  }

  @Test("the estimate of the index is never too small, and never much too large", arguments: [0, 1])
  func estimate(number: Int) throws {
    let clip = PlayerTests.clips[number]
    let writer = try clip.writer(at: path)
    defer { writer.close() }
    try clip.append(to: writer)
    let estimate = writer.indexByteEstimate
    let actual = try writer.finish().indexByteCount
    #expect(estimate >= actual)
    #expect(estimate <= actual + 1024 * Int64(clip.tracks.count))
  }

  @Test("a file that exists is never overwritten")
  func exists() throws {
    FileBytes.write([1, 2, 3], to: path)
    #expect(throws: MovieError.exists(path)) { try TestClip.mjpeg.writer(at: path) }
    #expect(FileBytes.read(path) == [1, 2, 3])
  }

  @Test("others than owner and group cannot read a clip")
  func mode() throws {
    let before = umask(0)
    defer { umask(before) }
    try TestClip.mjpeg.writer(at: path).close()
    var status = stat()
    stat(path, &status)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test("a disk that fills up in a fragment costs that fragment only, and the clip can still be finished")
  func diskFull() throws {
    let clip = TestClip.mjpeg
    let output = CuttingOutput(path, bytes: .max, then: .fails(errno: ENOSPC))
    let writer = try MovieWriter(path: path, output: output, container: clip.container, tracks: clip.tracks)
    let receipts = try clip.append(to: writer, 0..<2)
    output.allow(50_000)
    #expect(throws: MovieError.diskFull(path)) { try clip.append(to: writer, 2..<3) }
    #expect(FileBytes.read(path).count == Int(receipts[1].offset + receipts[1].byteCount))
    #expect(writer.fragmentCount == 2)

    output.allow(.max)
    try clip.append(to: writer, 2..<3)
    _ = try writer.finish()
    writer.close()
    #expect(Players.ffmpeg(path).numbers == Array(0..<90))
  }

  @Test("a disk too full for the index leaves the clip readable, and finishing can be tried again")
  func noRoomForIndex() throws {
    let clip = TestClip.h264
    let output = CuttingOutput(path, bytes: .max, then: .fails(errno: ENOSPC))
    let writer = try MovieWriter(path: path, output: output, container: clip.container, tracks: clip.tracks)
    try clip.append(to: writer)
    output.allow(500)
    #expect(throws: MovieError.diskFull(path)) { try writer.finish() }
    #expect(FileBytes.read(path).count == Int(writer.byteCount))
    #expect(Players.ffmpeg(path).numbers == Array(0..<150))
    output.allow(.max)
    _ = try writer.finish()
    writer.close()
    #expect(try MovieReader.read(path).agreesWithFragments == true)
  }

  @Test("a limit of the file's size is told apart from a full disk")
  func fileSizeLimit() throws {
    let output = CuttingOutput(path, bytes: 60_000, then: .fails(errno: EFBIG))
    let clip = TestClip.mjpeg
    let writer = try MovieWriter(path: path, output: output, container: clip.container, tracks: clip.tracks)
    #expect(throws: MovieError.fileTooLarge(path)) { try clip.append(to: writer) }
    #expect(MovieError.fileTooLarge(path).description.contains("Begin a new clip"))
  }

  @Test("a clip without a fragment stays as it is when finished")
  func emptyFinish() throws {
    let writer = try TestClip.mjpeg.writer(at: path)
    let before = FileBytes.read(path)
    let report = try writer.finish()
    writer.close()
    #expect(report.fragmentCount == 0)
    #expect(report.byteCount == Int64(before.count))
    #expect(report.indexByteCount == 0)
    #expect(FileBytes.read(path) == before)
  }

  @Test("a fragment that breaks a promise is refused, and nothing is written")
  func badFragments() throws {
    let clip = TestClip.mjpeg
    let writer = try clip.writer(at: path)
    defer { writer.close() }
    try clip.append(to: writer, 0..<1)
    let end = writer.byteCount
    let bytes: [UInt8] = [1, 2, 3, 4]
    bytes.withUnsafeBytes { bytes in
      func refused(_ track: Int, _ time: Int64, _ duration: Int64, _ pieces: [UnsafeRawBufferPointer]) {
        let sample = FragmentSample(duration: duration, pieces: pieces)
        let error = #expect(throws: MovieError.self) {
          try writer.append([FragmentTrack(track: track, firstTime: time, samples: [sample])])
        }
        guard case .badFragment = error else {
          Issue.record("not refused as a bad fragment: \(String(describing: error))")
          return
        }
      }
      refused(0, 0, 1, [bytes])  // before what is there
      refused(0, 2_000_000, 0, [bytes])
      refused(0, 2_000_000, -5, [bytes])
      refused(0, 2_000_000, 1 << 31, [bytes])
      refused(0, 2_000_000, 33_333, [])  // no bytes
      refused(0, 1 << 40, 33_333, [bytes])  // too long a gap
      refused(2, 2_000_000, 33_333, [bytes])  // no such track
      refused(1, 96_000, 3, [bytes])  // 3 PCM frames have 6 bytes
    }
    #expect(throws: MovieError.self) { try writer.append([]) }
    #expect(writer.byteCount == end)
    #expect(FileBytes.read(path).count == Int(end))
  }

  @Test("what players cannot hold is refused before a file is made")
  func unsupported() {
    let size = PixelSize(width: 16, height: 16)
    let wishes: [(MovieContainer, [TrackDescription])] = [
      (.mp4, [TrackDescription(media: .mjpeg(size))]),
      (.quickTime, []),
      (.quickTime, [TrackDescription(media: .mjpeg(size), start: -1)]),
      (.quickTime, [TrackDescription(media: .pcm(rate: 96000, channels: 1))]),
      (.quickTime, [TrackDescription(media: .pcm(rate: 48000, channels: 0))]),
      (.mp4, [TrackDescription(media: .h264(size, sps: [], pps: []))]),
      (.mp4, [TrackDescription(media: .h264(size, sps: [[0x67, 1, 2]], pps: [[0x68]]))]),
    ]
    for (container, tracks) in wishes {
      #expect(throws: MovieError.self) { try MovieWriter(creating: path, container: container, tracks: tracks) }
      #expect(access(path, F_OK) == -1)
    }
  }

  @Test("syncing from another thread while fragments are appended is allowed")
  func syncBeside() async throws {
    let clip = TestClip.mjpeg
    let writer = try clip.writer(at: path)
    let syncing = Task.detached { for _ in 0..<20 { try writer.sync() } }
    try clip.append(to: writer)
    try await syncing.value
    _ = try writer.finish()
    writer.close()
    #expect(throws: MovieError.closed(path)) { try writer.sync() }
    #expect(throws: MovieError.closed(path)) { try clip.append(to: writer, 0..<1) }
    #expect(try MovieReader.read(path).agreesWithFragments == true)
  }

  @Test("past the page cache whole blocks are written, each from one aligned piece of memory", arguments: [512, 4096])
  func direct(block: Int) throws {
    let output = CountingOutput(blockByteCount: block)
    let clip = TestClip.h264
    let writer = try MovieWriter(path: path, output: output, container: clip.container, tracks: clip.tracks)
    let header = writer.byteCount
    #expect(header % Int64(block) == 0)
    for index in 0..<clip.fragmentCount { try clip.append(to: writer, index..<index + 1) }
    #expect(output.writes.allSatisfy { $0.lowerBound % Int64(block) == 0 && $0.count % block == 0 })
    #expect(output.writes.allSatisfy { $0.count <= 512 << 10 } && output.unalignedCount == 0)
    #expect(zip(output.writes, output.writes.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect(writer.byteCount == output.writes.last?.upperBound)
  }

  @Test(
    "a volume that is too slow for it is written to through the page cache: half of the time, or half a second for one write"
  )
  func pace() {
    func slow(_ lengths: [Int64]) -> Int? {
      var pace = DirectPace()
      for (second, length) in lengths.enumerated() {
        let begin = Int64(second) * 1_000_000_000
        for part in 0..<4 {
          let from = begin + Int64(part) * length * 250_000
          if pace.wrote(from: from, to: from + length * 250_000) == .tooSlow { return second }
        }
      }
      return nil
    }
    #expect(slow(Array(repeating: 100, count: 60)) == nil)
    #expect(slow(Array(repeating: 450, count: 60)) == nil)
    #expect(slow(Array(repeating: 600, count: 60)) == 3)
    #expect(slow(Array(repeating: 900, count: 60)) == 2)
    #expect(slow([100, 900, 900, 100, 100, 100, 900, 900, 100, 100]) == nil)
    #expect(slow([100, 100, 2004, 100]) == 2)
    // Hours without a take are no time in which it was fast.
    var pace = DirectPace()
    #expect(pace.wrote(from: 0, to: 499_000_000) == .goOn)
    #expect(pace.wrote(from: 3_600_000_000_000, to: 3_600_400_000_000) == .goOn)
  }

  @Test("every write is at most 128 KiB and ends at a multiple of it, unless the fragment ends")
  func writeSizes() throws {
    let output = CountingOutput()
    let size = PixelSize(width: 1920, height: 1080)
    let writer = try MovieWriter(
      path: path, output: output, container: .quickTime, tracks: [TrackDescription(media: .mjpeg(size))])
    let picture = [UInt8](repeating: 7, count: 200_000)
    let begun = output.writes.count
    try picture.withUnsafeBytes { bytes in
      let samples = (0..<30).map { _ in FragmentSample(duration: 33_333, pieces: [bytes]) }
      _ = try writer.append([FragmentTrack(track: 0, firstTime: 0, samples: samples)])
    }
    let writes = output.writes[begun...]
    #expect(writes.allSatisfy { $0.count <= 131072 })
    #expect(writes.dropLast().allSatisfy { $0.upperBound % 131072 == 0 })
    #expect(writes.count <= 6_000_000 / 131072 + 2)
  }

  @Test("parameter sets are read back, and avcC begins with the profile of the SPS")
  func avcConfiguration() throws {
    let clip = TestClip.h264
    try clip.write(to: path, finished: true)
    let file = try MovieReader.read(path)
    #expect(file.tracks.map(\.media) == clip.tracks.map(\.media))
    guard case .h264(_, let sps, _) = clip.tracks[0].media else { return }
    let bytes = FileBytes.read(path)
    let name = bytes.indices.first { bytes[$0...].starts(with: Array("avcC".utf8)) }
    let avcC = try #require(name) + 4
    #expect(Array(bytes[avcC..<avcC + 6]) == [1, sps[0][1], sps[0][2], sps[0][3], 0xff, 0xe1])
  }
}
