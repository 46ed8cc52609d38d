import CamrigModel
import Codec
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  /// A camera whose first twenty pictures after each start are dark, as its exposure has not settled.
  @Suite("A camera that wakes up in the dark", .enabled(if: FakeCam.bed != nil, "libumockdev-dev is not installed"))
  struct DarkStart {
    /// Twenty that grow from 1 to 29, and then no other than 121.
    private func pictures(in daemon: TestDaemon) async throws -> String {
      let path = daemon.directory.path + "/dark.mjpeg"
      // In ffmpeg's limited range, which the encoder makes JPEG's own.
      let luma = "lum='if(lt(N,20),17+N*1.25,120)':cb=128:cr=128"
      let made = await Program.ended(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "color=black:s=160x120:r=30,format=yuv420p,geq=\(luma)",
          "-frames:v", "21", "-q:v", "2", "-f", "mjpeg", "-y", path,
        ])
      try #require(made.status == 0, "\(made.errors)")
      var bytes = FileBytes.read(path)
      let last = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xff && bytes[$0 + 1] == 0xd8 })
      let bright = Array(bytes[last...])
      // The emulation begins again behind the last one; that is for no test.
      for _ in 0..<3000 { bytes += bright }
      FileBytes.write(bytes, to: path)
      chmod(path, 0o644)
      return path
    }

    private func start(_ daemon: TestDaemon) async throws {
      let camera = """
        [cam0]
        path = /dev/video0
        card = Front
        bus_info = usb-0000:00:14.0-1
        format = MJPG 160x120 30 frames=\(try await pictures(in: daemon))

        """
      try await daemon.start(cameras: camera)
    }

    private func luma(_ path: String) throws -> Double {
      let (bytes, decoder) = (FileBytes.read(path), try JPEGDecoder())
      let picture = try bytes.withUnsafeBytes { bytes in Result { try decoder.decode(bytes, .luma) } }.get()
      return Double(picture.bytes.reduce(0) { $0 + Int($1) }) / Double(max(picture.bytes.count, 1))
    }

    @Test(
      "is shown as it sees once it is awake, in its own picture and in a small one",
      arguments: [[], ["--long-edge", "80"]])
    func shown(words: [String]) async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      let path = daemon.directory.path + "/snapshot.jpg"
      let snapshot = await daemon.ctl(["snapshot", "--output", path] + words)
      #expect(snapshot.status == 0, "\(snapshot.errors)")
      #expect(try luma(path) > 100)
    }

    @Test("is photographed so too")
    func photographed() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      let shot = try await daemon.json("photo", as: ShotRecord.self)
      let photo = try #require(shot.photos.first)
      #expect(try luma("\(daemon.takes)/shots/\(shot.shot)/\(photo.file)") > 100)
    }
  }
}
