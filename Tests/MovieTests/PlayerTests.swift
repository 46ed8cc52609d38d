import Movie
import TestSupport
import Testing

@Suite("Clips in other people's programs")
struct PlayerTests {
  static let clips = [TestClip.mjpeg, .h264]
  private let directory = TemporaryDirectory()

  @Test("a finished clip plays with every frame at its exact time", arguments: [0, 1])
  func finished(number: Int) throws {
    let clip = Self.clips[number]
    let path = "\(directory.path)/\(clip.name)"
    try clip.write(to: path, finished: true)
    expectPlays(clip, path, fragments: clip.fragmentCount)
    expectMeltShowsEachOnce(clip.pictures.count, path)
  }

  @Test("a clip cut at the end of any fragment plays up to there", arguments: [0, 1])
  func unfinished(number: Int) throws {
    let clip = Self.clips[number]
    for count in 1...clip.fragmentCount {
      let path = "\(directory.path)/\(count)-\(clip.name)"
      try clip.write(to: path, fragments: count, finished: false)
      expectPlays(clip, path, fragments: count)
    }
    expectMeltShowsEachOnce(clip.pictures.count, "\(directory.path)/\(clip.fragmentCount)-\(clip.name)")
  }

  @Test("a clip whose index is written but not switched to plays", arguments: [0, 1])
  func indexed(number: Int) throws {
    let clip = Self.clips[number]
    let path = "\(directory.path)/\(clip.name)"
    let output = CuttingOutput(path, bytes: .max, then: .isKilled)
    let writer = try MovieWriter(path: path, output: output, container: clip.container, tracks: clip.tracks)
    try clip.append(to: writer)
    let end = writer.byteCount
    let indexByteCount = try indexByteCount(clip)
    output.allow(indexByteCount)
    _ = try writer.finish()
    writer.close()
    #expect(FileBytes.read(path).count == Int(end) + indexByteCount)
    #expect(try MovieReader.read(path).state == .indexed)
    expectPlays(clip, path, fragments: clip.fragmentCount)
    expectMeltShowsEachOnce(clip.pictures.count, path)
  }

  @Test("a clip repaired after a cut inside of its last fragment plays up to there", arguments: [0, 1])
  func repaired(number: Int) throws {
    let clip = Self.clips[number]
    let path = "\(directory.path)/\(clip.name)"
    let receipts = try clip.write(to: path, finished: false)
    FileBytes.write(Array(FileBytes.read(path)[..<Int(receipts[4].offset + 3000)]), to: path)
    guard case .repaired(let report) = try MovieRepair.repair(path) else {
      Issue.record("it should have been repaired")
      return
    }
    #expect(report.keptTail == receipts[4].offset..<receipts[4].offset + 3000)
    expectPlays(clip, path, fragments: 4)
    expectMeltShowsEachOnce(4 * TestClip.perFragment, path)
  }

  @Test("sound is the same bytes, and begins where it began", arguments: [false, true])
  func sound(finished: Bool) throws {
    let clip = TestClip.mjpeg
    let path = "\(directory.path)/clip.mov"
    try clip.write(to: path, finished: finished)
    #expect(Players.sound(path) == clip.sound)
    let packets = Players.packets(path, "a:0")
    #expect(packets.first?.time == TestClip.soundStart * 48 / 1000)
    #expect(packets.reduce(0) { $0 + $1.byteCount } == clip.sound.count)
  }

  @Test("a picture track may begin later than its clip", arguments: [false, true])
  func lateStart(finished: Bool) throws {
    let clip = TestClip.h264
    let path = "\(directory.path)/late.mp4"
    let tracks = [TrackDescription(media: clip.tracks[0].media, start: 400_000)]
    let writer = try MovieWriter(creating: path, container: .mp4, tracks: tracks)
    try clip.append(to: writer)
    if finished { _ = try writer.finish() }
    writer.close()
    #expect(Players.packets(path, "v:0").map(\.time) == clip.times.map { $0 + 400_000 })
    #expect(Players.ffmpeg(path).numbers == Array(0..<clip.pictures.count))
  }

  @Test("a first fragment that does not begin at time 0 stays where it was when the clip is finished")
  func lateFragment() throws {
    let clip = TestClip.h264.timed { 700_001 + Int64($0) * 33_333 }
    for finished in [false, true] {
      let path = "\(directory.path)/\(finished).mp4"
      try clip.write(to: path, finished: finished)
      #expect(Players.packets(path, "v:0").map(\.time) == clip.times)
    }
  }

  @Test("H.264 with sound goes into one .mp4", arguments: [false, true])
  func h264WithSound(finished: Bool) throws {
    let pictures = TestClip.h264
    let clip = TestClip(
      name: "sound.mp4", container: .mp4, tracks: pictures.tracks + [TestClip.mjpeg.tracks[1]],
      pictures: pictures.pictures, sound: TestClip.mjpeg.sound)
    let path = "\(directory.path)/\(clip.name)"
    try clip.write(to: path, finished: finished)
    expectPlays(clip, path, fragments: clip.fragmentCount)
    #expect(Players.sound(path) == clip.sound)
  }

  @Test("a clip of 75 minutes has no number that overflows", arguments: [false, true])
  func longClip(finished: Bool) throws {
    // One picture each 30 s: longer than 2³² µs in all.
    let clip = TestClip.h264.timed { Int64($0) * 30_000_017 }
    let path = "\(directory.path)/long.mp4"
    try clip.write(to: path, finished: finished)
    #expect(Players.packets(path, "v:0").map(\.time) == clip.times)
    #expect(Players.gstreamer(path, decoder: "avdec_h264").numbers == Array(0..<clip.pictures.count))
    let duration = Program.run("ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path])
    #expect(duration.text == "4500.002550\n")
  }

  private func indexByteCount(_ clip: TestClip) throws -> Int {
    let path = "\(directory.path)/measure-\(clip.name)"
    let writer = try clip.writer(at: path)
    defer { writer.close() }
    try clip.append(to: writer)
    return Int(try writer.finish().indexByteCount)
  }

  private func expectPlays(_ clip: TestClip, _ path: String, fragments: Int) {
    let count = min(fragments * TestClip.perFragment, clip.pictures.count)
    let expected = clip.pictures[..<count].map {
      Players.Packet(time: $0.time, byteCount: $0.bytes.count, isKeyframe: $0.isKeyframe)
    }
    #expect(Players.packets(path, "v:0") == expected)

    let decoded = Players.ffmpeg(path)
    #expect(decoded.numbers == Array(0..<count))
    #expect(decoded.status == 0)
    #expect(decoded.errors == "")
    #expect(Players.complaints(path) == "")

    let gstreamer = Players.gstreamer(path, decoder: clip.container == .mp4 ? "avdec_h264" : "jpegdec")
    #expect(gstreamer.numbers == Array(0..<count), "\(gstreamer.errors)")
    #expect(Players.mediainfo(path) == count)
  }

  private func expectMeltShowsEachOnce(_ count: Int, _ path: String) {
    let melt = Players.melt(path)
    #expect(melt.numbers == Array(0..<count), "status \(melt.status): \(melt.errors)")
  }
}
