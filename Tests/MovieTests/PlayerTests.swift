import Movie
import TestSupport
import Testing

@Suite("Clips in other people's programs")
struct PlayerTests {
  static let clips = [TestClip.mjpeg, .h264]

  @Test("ffprobe gives every frame of a finished clip with its exact time", arguments: [0, 1])
  func finishedTimes(clip: Int) throws {
    let clip = Self.clips[clip]
    let directory = TemporaryDirectory()
    let path = "\(directory.path)/\(clip.name)"
    try clip.write(to: path, finished: true)
    try expectPlays(clip, path, fragments: clip.fragmentCount)
  }

  @Test("a clip cut at the end of any fragment gives every frame so far", arguments: [0, 1])
  func unfinished(clip: Int) throws {
    let clip = Self.clips[clip]
    let directory = TemporaryDirectory()
    for count in 1...clip.fragmentCount {
      let path = "\(directory.path)/\(count)-\(clip.name)"
      try clip.write(to: path, fragments: count, finished: false)
      try expectPlays(clip, path, fragments: count, tables: false)
    }
  }

  private func expectPlays(_ clip: TestClip, _ path: String, fragments: Int, tables: Bool = true) throws {
    let count = min(fragments * TestClip.perFragment, clip.pictures.count)
    let expected = clip.pictures[..<count].map {
      Players.Packet(time: $0.time, byteCount: $0.bytes.count, isKeyframe: $0.isKeyframe)
    }
    let (packets, errors) = Players.packets(path, "v:0")
    #expect(packets == expected)
    #expect(errors == "")

    let decoded = Players.ffmpeg(path)
    #expect(decoded.numbers == Array(0..<count))
    #expect(decoded.status == 0)
    #expect(decoded.errors == "")

    let gstreamer = Players.gstreamer(path, decoder: clip.sound.isEmpty ? "avdec_h264" : "jpegdec")
    #expect(gstreamer.numbers == Array(0..<count), "\(gstreamer.errors)")
    #expect(Players.mediainfo(path) == count)
  }
}
