import CLinux
import Glibc
import Movie
import TestSupport
import Testing

@Suite("Movie repair")
struct RepairTests {
  private let directory = TemporaryDirectory()
  private var path: String { "\(directory.path)/clip" }
  private let clip = TestClip.h264

  // MARK: - What must hold after any fault

  /// Repairs what `bytes` are, and checks: every fragment of `whole` is there, byte for byte; a second repair changes
  /// nothing; no byte that is not zero was taken away.
  @discardableResult
  private func repair(
    _ bytes: [UInt8], whole: [Int], of clip: TestClip, _ what: String, location: SourceLocation = #_sourceLocation
  ) throws -> RepairOutcome {
    FileBytes.write(bytes, to: path)
    let outcome = try MovieRepair.repair(path)
    let after = FileBytes.read(path)
    #expect(try MovieRepair.repair(path) == (isPlayable(outcome) ? .alreadyFinished : outcome), "\(what)")
    #expect(
      FileBytes.areEqual(FileBytes.read(path), after), "\(what): a second repair changed it", sourceLocation: location)
    guard isPlayable(outcome) else {
      #expect(whole.isEmpty, "\(what): \(outcome)", sourceLocation: location)
      #expect(after == bytes, "\(what): it should be left as it is", sourceLocation: location)
      return outcome
    }
    let file = try MovieReader.read(path)
    #expect(file.state == .finished, "\(what)", sourceLocation: location)
    #expect(file.agreesWithFragments == true, "\(what)", sourceLocation: location)
    let frames = whole.flatMap { $0 * TestClip.perFragment..<($0 + 1) * TestClip.perFragment }
    let samples = file.tracks[0].samples
    let pictures = samples.map { Array(after[Int($0.offset)..<Int($0.offset + $0.byteCount)]) }
    #expect(pictures.count == frames.count, "\(what)", sourceLocation: location)
    let allSame = zip(pictures, frames).allSatisfy { FileBytes.areEqual($0, clip.pictures[$1].bytes) }
    #expect(allSame, "\(what): other pictures", sourceLocation: location)
    let start = file.tracks[0].start
    #expect(
      samples.map { $0.time + start } == frames.map { clip.pictures[$0].time }, "\(what)", sourceLocation: location)
    // All but the lead and an index that was half there is as it was.
    var unchanged = 40
    if case .repaired(let report) = outcome, report.headerRestored { unchanged = Int(file.fragments[0].offset) }
    let indexed = Int(file.tracks.flatMap(\.samples).map { $0.offset + $0.byteCount }.max() ?? 0)
    #expect(
      FileBytes.areEqual(after, bytes, unchanged..<indexed), "\(what): a byte of a fragment was changed",
      sourceLocation: location)
    return outcome
  }

  private func isPlayable(_ outcome: RepairOutcome) -> Bool {
    switch outcome {
    case .alreadyFinished, .repaired: true
    case .empty, .notRepairable: false
    }
  }

  private func make(finished: Bool) throws -> (bytes: [UInt8], receipts: [FragmentReceipt]) {
    let made = "\(directory.path)/whole"
    unlink(made)
    let receipts = try clip.write(to: made, finished: finished)
    return (FileBytes.read(made), receipts)
  }

  private func ends(_ receipts: [FragmentReceipt]) -> [Int] { receipts.map { Int($0.offset + $0.byteCount) } }

  /// Where a box begins, and where the numbers in front of its content end.
  private func boundaries(_ bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    var at = 0
    while at + 8 <= bytes.count {
      let size = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      places += [at, at + 8]
      guard size >= 8 else { break }
      at += size
    }
    return places + [bytes.count]
  }

  // MARK: - Faults

  @Test("an unfinished clip cut at or beside any box, or anywhere, keeps every whole fragment")
  func truncatedOpen() throws {
    let (bytes, receipts) = try make(finished: false)
    let ends = ends(receipts)
    var random = SeededRandom(5)
    var places = Set(boundaries(bytes).flatMap { [$0 - 1, $0, $0 + 1] })
    for _ in 0..<60 { places.insert(Int.random(in: 0...bytes.count, using: &random)) }
    for place in places.sorted() where (0...bytes.count).contains(place) {
      let whole = ends.indices.filter { ends[$0] <= place }
      let outcome = try repair(Array(bytes[..<place]), whole: whole, of: clip, "cut at \(place)")
      if case .repaired(let report) = outcome, let last = whole.last {
        #expect(report.keptTail?.lowerBound ?? Int64(ends[last]) == Int64(ends[last]))
      }
    }
  }

  @Test("a finished clip cut later, even inside of its index, is finished again")
  func truncatedFinished() throws {
    let (bytes, receipts) = try make(finished: true)
    let ends = ends(receipts)
    var random = SeededRandom(6)
    var places = ends.flatMap { [$0 - 1, $0, $0 + 1] } + [bytes.count - 1, ends[4] + 4, ends[4] + 8]
    for _ in 0..<40 { places.append(Int.random(in: 0...bytes.count, using: &random)) }
    for place in places {
      try repair(Array(bytes[..<place]), whole: ends.indices.filter { ends[$0] <= place }, of: clip, "cut at \(place)")
    }
  }

  @Test("a zeroed page costs the fragments it touches, wherever it lies", arguments: [false, true])
  func zeroedPage(finished: Bool) throws {
    let (bytes, receipts) = try make(finished: finished)
    let fragments = receipts.map { Int($0.offset)..<Int($0.offset + $0.byteCount) }
    for page in stride(from: 0, to: bytes.count, by: 4096) {
      var damaged = bytes
      let range = page..<min(page + 4096, bytes.count)
      for place in range { damaged[place] = 0 }
      // In a finished clip the index says where everything is, so a page of media is left to `MovieReader` to find.
      let inIndex = finished && range.upperBound > fragments[4].upperBound
      guard !finished || inIndex else { continue }
      let whole = fragments.indices.filter { !fragments[$0].overlaps(range) }
      let outcome = try repair(damaged, whole: whole, of: clip, "page at \(page)")
      guard case .repaired(let report) = outcome, let last = whole.last else { continue }
      // The header in the first page came back from the copy in the first fragment's last bytes.
      #expect(report.headerRestored == (page == 0))
      let missing = (0..<last).filter { !whole.contains($0) }
      #expect(report.holes.count == (missing.isEmpty ? 0 : 1))
      if let hole = report.holes.first {
        #expect(hole.bytes.lowerBound == Int64(fragments[missing[0]].lowerBound))
        #expect(hole.bytes.upperBound == Int64(fragments[missing.last!].upperBound))
        #expect(hole.time.upperBound == clip.pictures[(missing.last! + 1) * TestClip.perFragment].time)
        #expect(hole.time.lowerBound == clip.pictures[missing[0] * TestClip.perFragment].time)
      }
    }
  }

  @Test("zeros behind the last fragment are cut off, anything else stays", arguments: [false, true])
  func appended(finished: Bool) throws {
    let (bytes, _) = try make(finished: finished)
    let all = Array(0..<5)
    for count in [1, 7, 4096, 1_000_000] {
      let outcome = try repair(bytes + [UInt8](repeating: 0, count: count), whole: all, of: clip, "\(count) zeros")
      guard case .repaired(let report) = outcome else {
        Issue.record("zeros should have been found")
        continue
      }
      #expect(report.zerosCut == Int64(count))
      #expect(report.keptTail == nil)
      var random = SeededRandom(UInt64(count))
      let garbage = (0..<count).map { _ in UInt8.random(in: 1...255, using: &random) }
      try repair(bytes + garbage, whole: all, of: clip, "\(count) bytes of garbage")
      let after = FileBytes.read(path)
      #expect(Array(after[bytes.count..<bytes.count + count]) == garbage)
      try repair(bytes + garbage + [UInt8](repeating: 0, count: 999), whole: all, of: clip, "garbage and zeros")
      #expect(Players.ffmpeg(path).numbers == Array(0..<150))
    }
  }

  @Test("killed at any step of finishing, the clip is finished afterwards")
  func killedWhileFinishing() throws {
    let (bytes, _) = try make(finished: true)
    let (open, _) = try make(finished: false)
    let index = bytes.count - open.count
    var random = SeededRandom(9)
    let steps = [0, 1, 7, 8, 100, index - 1, index, index + 1, index + 8, index + 15, index + 16]
    for step in steps + (0..<20).map({ _ in Int.random(in: 0..<index, using: &random) }) {
      unlink(path)
      let output = CuttingOutput(path, bytes: .max, then: .isKilled)
      let writer = try MovieWriter(path: path, output: output, container: clip.container, tracks: clip.tracks)
      try clip.append(to: writer)
      output.allow(step)
      _ = try writer.finish()
      writer.close()
      let outcome = try repair(FileBytes.read(path), whole: Array(0..<5), of: clip, "after \(step) bytes")
      // Nothing of the half index is left beside the whole one.
      if case .repaired(let report) = outcome, step >= 8 || step == 0 { #expect(report.keptTail == nil) }
    }
  }

  @Test("killed at any byte of a fragment, the clip keeps the fragments before", arguments: [0, 1])
  func killedWhileAppending(number: Int) throws {
    let clip = PlayerTests.clips[number]
    var random = SeededRandom(10)
    for _ in 0..<25 {
      unlink(path)
      let output = CuttingOutput(path, bytes: .max, then: .isKilled)
      let writer = try MovieWriter(path: path, output: output, container: clip.container, tracks: clip.tracks)
      try clip.append(to: writer, 0..<2)
      let begin = Int(writer.byteCount)
      output.allow(Int.random(in: 0..<60_000, using: &random))
      try clip.append(to: writer, 2..<3)
      writer.close()
      let bytes = FileBytes.read(path)
      let complete = bytes.count == Int(writer.byteCount)
      try repair(bytes, whole: complete ? [0, 1, 2] : [0, 1], of: clip, "\(bytes.count - begin) bytes")
    }
  }

  @Test("a repair that is itself cut short is taken up by the next")
  func repairTwice() throws {
    let (bytes, receipts) = try make(finished: false)
    let torn = Array(bytes[..<Int(receipts[4].offset + 5000)])
    FileBytes.write(torn, to: path)
    _ = try MovieRepair.repair(path)
    let done = FileBytes.read(path)
    for count in stride(from: torn.count + 8, through: done.count, by: 97) {
      var partial = Array(done[..<count])
      partial.replaceSubrange(24..<40, with: bytes[24..<40])
      try repair(partial, whole: [0, 1, 2, 3], of: clip, "repair cut after \(count - torn.count) bytes")
      #expect(FileBytes.read(path) == done)
    }
  }

  @Test("a clip whose header is damaged is whole again, finished or not", arguments: [false, true])
  func damagedHeader(finished: Bool) throws {
    let (bytes, receipts) = try make(finished: finished)
    for range in [0..<8, 0..<40, 24..<40, 100..<101, 40..<Int(receipts[0].offset), 0..<Int(receipts[0].offset)] {
      var damaged = bytes
      for place in range { damaged[place] ^= 0x5a }
      try repair(damaged, whole: Array(0..<5), of: clip, "header damaged in \(range)")
      #expect(Players.ffmpeg(path).numbers == Array(0..<150))
    }
  }

  @Test("a clip without a whole fragment is kept and said to be empty")
  func empty() throws {
    let (bytes, receipts) = try make(finished: false)
    let outcome = try repair(Array(bytes[..<Int(receipts[0].offset + 100)]), whole: [], of: clip, "no fragment")
    guard case .empty(let text) = outcome else {
      Issue.record("it is empty")
      return
    }
    #expect(text.hasPrefix(path))
  }

  @Test("what is no clip of ours is not touched")
  func foreign() throws {
    for bytes in [[], [1, 2, 3], [UInt8](repeating: 0, count: 9000)] {
      guard case .notRepairable = try repair(bytes, whole: [], of: clip, "foreign") else {
        Issue.record("it is no clip")
        continue
      }
    }
  }

  @Test("a finished movie is not written to, nor are its fragments read")
  func finishedIsLeft() throws {
    try clip.write(to: path, finished: true)
    let bytes = FileBytes.read(path)
    chmod(path, 0o640)
    var before = stat()
    stat(path, &before)
    #expect(try MovieRepair.repair(path) == .alreadyFinished)
    var after = stat()
    stat(path, &after)
    #expect(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec)
    #expect(FileBytes.read(path) == bytes)
  }

  @Test("fragments behind 5 GiB of nothing are found and played")
  func largeOffsets() throws {
    let (bytes, receipts) = try make(finished: false)
    let hole: Int64 = 5 << 30
    let place = Int(receipts[2].offset)
    FileBytes.write(Array(bytes[..<place]), to: path)
    let file = cl_open(path, O_WRONLY, 0)
    _ = bytes[place...].withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(place) + off_t(hole)) }
    close(file)

    guard case .repaired(let report) = try MovieRepair.repair(path) else {
      Issue.record("it should have been repaired")
      return
    }
    #expect(report.holes.map(\.bytes) == [Int64(place)..<Int64(place) + hole])
    #expect(report.holes.allSatisfy { $0.time.isEmpty })
    let read = try MovieReader.read(path, depth: .index)
    #expect(read.tracks[0].samples.map(\.time) == clip.times)
    #expect(read.tracks[0].samples[60].offset > hole)
    #expect(Players.packets(path, "v:0").map(\.time) == clip.times)
    #expect(Players.ffmpeg(path).numbers == Array(0..<150))
    #expect(Players.gstreamer(path, decoder: "avdec_h264").numbers == Array(0..<150))
  }

  @Test("sound and pictures on both sides of a hole keep their times")
  func holeWithSound() throws {
    let clip = TestClip.mjpeg
    let receipts = try clip.write(to: path, finished: false)
    var bytes = FileBytes.read(path)
    for place in 0..<4096 { bytes[Int(receipts[2].offset + 9000) + place] = 0 }
    try repair(bytes, whole: [0, 1, 3, 4], of: clip, "hole")
    #expect(Players.packets(path, "v:0").map(\.time) == (clip.times[..<60] + clip.times[90...]).map { $0 })
    #expect(Players.ffmpeg(path).numbers == Array(0..<60) + Array(90..<150))
    let sound = try MovieReader.read(path).tracks[1]
    #expect(sound.samples.map(\.time) == [0, 1, 3, 4].map { Int64(clip.soundFrames(of: $0).lowerBound) })
    #expect(Players.complaints(path) == "")
  }
}
