import CamrigModel
import Codec
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("Its turned pictures")
  struct Pictures {
    private static let source = PixelSize(width: 320, height: 240)

    /// The numbers burnt into a file's pictures, once a filter of ffmpeg's has turned them back.
    private func counters(_ path: String, turningBack filter: String) async throws -> [UInt32] {
      let run = await Program.ended(
        "ffmpeg",
        [
          "-v", "error", "-xerror", "-i", path, "-fps_mode", "passthrough", "-vf", filter, "-f", "rawvideo", "-pix_fmt",
          "gray", "-",
        ])
      #expect(run.status == 0 && run.errors == "", "\(path): \(run.errors)")
      let length = Self.source.area
      return stride(from: 0, through: run.output.count - length, by: length).compactMap { start in
        run.output.withUnsafeBytes { bytes in
          TestPattern.readCounter(
            fromLuma: UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]),
            bytesPerLine: Self.source.width, width: Self.source.width)
        }
      }
    }

    private func show(_ daemon: TestDaemon, _ id: String) async throws -> CameraDescription {
      try await daemon.json("camera", "show", id, as: CameraDescription.self)
    }

    @Test("what is seen is recorded, exact to the picture: MJPEG mirrored and on its side, raw turned the other way")
    func recorded() async throws {
      let daemon = TestDaemon(TestDaemon.ownKeys + "[Recording]\nEncoder=libx264\n", listen: "127.0.0.1:0")
      try await daemon.start()
      for words in [
        ["camera", "set", "test-1", "--size", "320x240"],
        ["camera", "set", "test-2", "--size", "320x240", "--format", "YUYV"],
        ["picture", "test-1", "--mirror", "on", "--rotate", "90"], ["picture", "test-2", "--rotate", "270"],
      ] {
        let run = await daemon.ctl(words)
        #expect(run.status == 0, "\(words): \(run.errors)")
      }
      #expect(await daemon.ctl("picture", "test-1").text == "Test pattern 1: rotated by 90, mirrored\n")

      try await daemon.record(pictures: 35)
      let camera = try await show(daemon, "test-1")
      #expect(camera.granted?.size == Self.source && camera.delivered?.size == PixelSize(width: 240, height: 320))
      let refused = await daemon.ctl("picture", "test-1", "--zoom", "2")
      #expect(refused.status == ExitStatus.tempFail.rawValue && refused.errors.contains("is being recorded"))
      let shot = try await daemon.json("photo", "test-1", as: ShotRecord.self)
      let path = daemon.directory.path + "/snapshot.jpg"
      let snapshot = await daemon.ctl("snapshot", "--camera", "test-1", "--output", path)
      #expect(snapshot.status == 0, "\(snapshot.errors)")
      let take = try await daemon.takeStop()
      try await daemon.expectSound()

      let back = ["test-1": "hflip,transpose=cclock", "test-2": "transpose=clock"]
      let formats = ["test-1": "MJPG 240x320 at 30", "test-2": "YU12 240x320 at 30"]
      for camera in take.cameras {
        let id = camera.id.rawValue
        #expect(camera.clips.map(\.format.description) == [formats[id]])
        for clip in camera.clips {
          let shown = try await counters("\(daemon.takes)/\(take.id)/\(clip.file)", turningBack: back[id] ?? "")
          #expect(UInt64(shown.count) == clip.frames)
          #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 }, "\(shown)")
          #expect(shown.first.map { UInt64($0) } == clip.runs.first?.firstSequence)
          #expect(clip.runs.allSatisfy { $0.isExact })
        }
      }
      let photo = try #require(shot.photos.first)
      #expect(photo.take == take.id && photo.flash == nil, "it is one of the take's own pictures")
      #expect(photo.width == 240 && photo.height == 320)
      let file = "\(daemon.takes)/shots/\(shot.shot)/\(photo.file)"
      #expect(try await counters(file, turningBack: "hflip,transpose=cclock").count == 1)
      let exif = await Program.ended("exiftool", ["-validate", "-n", "-s3", "-Orientation", "-ExifImageWidth", file])
      #expect(exif.lines == ["0 0 0", "1", "240"], "\(exif.text)")
      // What a viewer sees is the same.
      #expect(try await counters(path, turningBack: "hflip,transpose=cclock").count == 1)
    }

    @Test("they are kept over a restart; a zoom is smaller, also recorded; reset shows the camera's own picture")
    func kept() async throws {
      let daemon = TestDaemon(demo: 1)
      try await daemon.start()
      #expect(await daemon.ctl("camera", "set", "test-1", "--size", "320x240").status == 0)
      #expect(await daemon.ctl("picture", "test-1", "--rotate", "180", "--zoom", "2", "--at", "1,0").status == 0)
      await daemon.stop()
      try await daemon.start()
      #expect(try await show(daemon, "test-1").picture == PictureChoice(rotate: 180, zoom: 2, x: 1, y: 0))
      try await daemon.record(pictures: 5)
      let take = try await daemon.takeStop()
      #expect(take.cameras.flatMap(\.clips).map(\.format.size.description) == ["160x120"])
      try await daemon.expectSound()
      let reset = await daemon.ctl("picture", "reset", "test-1")
      #expect(reset.text == "Test pattern 1: as the camera gives it\n", "\(reset.errors)")
      #expect(try await show(daemon, "test-1").picture == nil)
    }

    @Test("a photo in the largest size of a camera on its side does not wait for another stream")
    func still() async throws {
      let daemon = TestDaemon(demo: 1)
      try await daemon.start()
      #expect(await daemon.ctl("picture", "test-1", "--rotate", "90").status == 0)
      #expect(await daemon.ctl("record", "arm").status == 0)
      try await wait("the stream") { try await show(daemon, "test-1").delivered != nil }
      let shot = try await daemon.json("photo", "test-1", "--still", as: ShotRecord.self)
      #expect(shot.photos.map(\.width) == [720] && shot.failures.isEmpty && shot.photos.map(\.take) == [nil])
    }

    @Test("what cannot be is refused in words")
    func refuses() async throws {
      let daemon = TestDaemon(demo: 1)
      try await daemon.start()
      for (words, text) in [
        (["--rotate", "45"], "by 0, 90, 180 or 270 degrees, not by 45"), (["--zoom", "9"], "Zoom goes from 1"),
        (["--zoom", "2", "--at", "2,0"], "x is where the middle"),
        (["--at", "0.2,0.2"], "Zoom in, too, such as: camrigctl picture CAMERA --zoom 2"),
        (["--zoom", "1", "--at", "0.2,0.2"], "zoom in, as with --zoom 2"),
      ] {
        let run = await daemon.ctl(["picture", "test-1"] + words)
        #expect(run.status == ExitStatus.usage.rawValue && run.errors.contains(text), "\(run.errors)")
      }
    }
  }
}
