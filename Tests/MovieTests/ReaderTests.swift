import Movie
import TestSupport
import Testing

@Suite("Movie reader")
struct ReaderTests {
  private let directory = TemporaryDirectory()
  private var path: String { "\(directory.path)/clip" }

  @Test("what was written is read back, finished or not", arguments: [0, 1], [false, true])
  func roundTrip(number: Int, finished: Bool) throws {
    let clip = PlayerTests.clips[number]
    let receipts = try clip.write(to: path, finished: finished)
    let file = try MovieReader.read(path)
    #expect(file.state == (finished ? .finished : .recording))
    #expect(file.clipNote == TestClip.clipNote)
    #expect(file.agreesWithFragments == (finished ? true : nil))
    #expect(file.firstBadOffset == nil)
    #expect(file.tracks.map(\.media) == clip.tracks.map(\.media))
    #expect(file.tracks.map(\.start) == clip.tracks.map(\.start))

    #expect(file.fragments.map(\.offset) == receipts.map(\.offset))
    #expect(file.fragments.map(\.byteCount) == receipts.map(\.byteCount))
    #expect(file.fragments.map(\.index) == Array(0..<5))
    #expect(!file.fragments.contains { !$0.checksumHolds })
    #expect(file.fragments.map(\.note) == (0..<5).map { TestClip.note(of: $0) })

    let bytes = FileBytes.read(path)
    let samples = file.tracks[0].samples
    #expect(samples.map(\.time) == clip.times)
    #expect(samples.map(\.duration) == clip.pictures.map(\.duration))
    #expect(samples.map(\.isKeyframe) == clip.pictures.map(\.isKeyframe))
    let pictures = samples.map { Array(bytes[Int($0.offset)..<Int($0.offset + $0.byteCount)]) }
    #expect(pictures == clip.pictures.map(\.bytes))
    if !clip.sound.isEmpty {
      let sound = file.tracks[1].samples.flatMap { bytes[Int($0.offset)..<Int($0.offset + $0.byteCount)] }
      #expect(sound == clip.sound)
      #expect(file.tracks[1].samples.map(\.time) == (0..<5).map { Int64(clip.soundFrames(of: $0).lowerBound) })
      #expect(file.fragments.map { $0.sampleCounts[1] } == (0..<5).map { clip.soundFrames(of: $0).count })
    }
  }

  @Test("a byte that changed anywhere in a fragment is found")
  func oneByte() throws {
    let receipts = try TestClip.h264.write(to: path, finished: true)
    let whole = FileBytes.read(path)
    var random = SeededRandom(3)
    for _ in 0..<40 {
      var bytes = whole
      let fragment = Int.random(in: 0..<5, using: &random)
      let place = Int(receipts[fragment].offset) + Int.random(in: 0..<Int(receipts[fragment].byteCount), using: &random)
      bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
      FileBytes.write(bytes, to: path)
      let file = try MovieReader.read(path)
      #expect(file.state == .finished)
      #expect(file.agreesWithFragments == false)
      #expect(file.firstBadOffset == receipts[fragment].offset)
      #expect(file.fragments.filter(\.checksumHolds).map(\.index) == (0..<5).filter { $0 != fragment })
    }
  }

  @Test("the index alone is read without the fragments")
  func indexOnly() throws {
    try TestClip.mjpeg.write(to: path, finished: true)
    let file = try MovieReader.read(path, depth: .index)
    #expect(file.state == .finished)
    #expect(file.fragments.isEmpty)
    #expect(file.agreesWithFragments == nil)
    #expect(file.tracks[0].samples.count == 150)
  }

  @Test("a clip that has only begun has no fragments")
  func begun() throws {
    try TestClip.mjpeg.write(to: path, fragments: 0, finished: false)
    #expect(try MovieReader.read(path).state == .noFragments)
  }

  @Test("what is no clip is said to be none", arguments: ["", "short", "#!/bin/sh\nexit 0\n"])
  func noClip(text: String) throws {
    FileBytes.write(Array(text.utf8), to: path)
    guard case .damaged(let reason) = try MovieReader.read(path).state else {
      Issue.record("it is no clip")
      return
    }
    #expect(reason.hasPrefix(path))
  }

  @Test("a file that is not there, and a directory, are errors that name it")
  func missing() {
    #expect(throws: MovieError.missing(path)) { try MovieReader.read(path) }
    #expect(throws: MovieError.self) { try MovieReader.read(directory.path) }
  }

  @Test("fragments of another clip are not taken for this one's")
  func foreignFragments() throws {
    let other = "\(directory.path)/other"
    let receipts = try TestClip.mjpeg.write(to: other, finished: false)
    try TestClip.mjpeg.write(to: path, fragments: 2, finished: false)
    // As a file system may leave it that gives old blocks to a new file.
    let bytes = FileBytes.read(path) + FileBytes.read(other)[Int(receipts[2].offset)...]
    FileBytes.write(bytes, to: path)
    #expect(try MovieReader.read(path).fragments.filter(\.checksumHolds).map(\.index) == [0, 1])
  }
}
