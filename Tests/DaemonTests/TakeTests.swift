import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("Its takes")
  struct Takes {
    @Test("a second start is the running take, a second stop the same answer; both succeed")
    func idempotent() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let first = try await daemon.record()
      let again = try await daemon.record()
      #expect(!first.alreadyRunning && again.alreadyRunning)
      #expect(again.take == first.take)
      let stopped = try await daemon.takeStop()
      #expect(try await daemon.takeStop() == stopped)
      #expect(stopped.id == first.take && stopped.state == .finished && stopped.stop?.cause == .requested)
      #expect(try await daemon.json("takes", as: [TakeSummary].self).count == 1)
    }

    @Test("a name for people becomes part of the folder, whatever it is made of")
    func named() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let take = try await daemon.record("--name", "../Großes Finale: Akt 3/4", "--camera", "test-2")
      let manifest = try await daemon.takeStop()
      #expect(manifest.name == "../Großes Finale: Akt 3/4")
      #expect(!take.take.contains("/") && take.take.contains("Finale"))
      #expect(take.folder == "\(daemon.takes)/\(take.take)")
      #expect(access(take.folder + "/take.json", R_OK) == 0)
    }

    @Test("only the cameras that are named are recorded, each once, by ID or name")
    func chosen() async throws {
      let daemon = TestDaemon(demo: 3)
      try await daemon.start()
      let take = try await daemon.record("--camera", "test-3", "--camera", "Test pattern 1,test-1")
      #expect(take.cameras.map(\.id.rawValue).sorted() == ["test-1", "test-3"])
      #expect(take.cameras.allSatisfy { $0.problem == nil && $0.offsetSeconds != nil })
      #expect(try await daemon.takeStop().cameras.map(\.id.rawValue).sorted() == ["test-1", "test-3"])
    }

    @Test("a disabled camera is left out, and refused by name with the cure")
    func disabled() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      #expect(await daemon.ctl("camera", "disable", "test-1").status == 0)
      let refused = await daemon.ctl("record", "start", "--camera", "test-1")
      #expect(refused.status == ExitStatus.unavailable.rawValue)
      #expect(refused.errors.contains("Use it again with: camrigctl camera enable test-1"), "\(refused.errors)")
      #expect(try await daemon.record().cameras.map(\.id.rawValue) == ["test-2"])
      _ = try await daemon.takeStop()
    }

    @Test("while it records, what would break the files is refused with the reason")
    func refuses() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let take = try await daemon.record()
      for words in [["set", "test-1", "--size", "640x480"], ["disable", "test-1"]] {
        let refused = await daemon.ctl(["camera"] + words)
        #expect(refused.status == ExitStatus.tempFail.rawValue, "\(words)")
        #expect(refused.errors.contains("Test pattern 1 is being recorded"), "\(refused.errors)")
      }
      for command in ["verify", "repair"] {
        let refused = await daemon.ctl("take", command, "last")
        #expect(refused.status == ExitStatus.tempFail.rawValue)
        #expect(
          refused.errors
            == "camrigctl: Take \(take.take) is being recorded. Stop it first: camrigctl record stop\n")
      }
      _ = try await daemon.takeStop()
      try await daemon.expectSound()
    }

    @Test("MJPEG is kept as it came: every picture once, by ffmpeg and by melt")
    func mjpeg() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      for id in ["test-1", "test-2"] {
        _ = try await daemon.json("camera", "set", id, "--size", "320x240", as: CameraDescription.self)
      }
      try await daemon.record(pictures: 35)
      let take = try await daemon.takeStop()
      #expect(take.cameras.count == 2)
      for camera in take.cameras {
        #expect(camera.clips.map(\.format.description) == ["MJPG 320x240 at 30"])
        #expect(camera.clips.allSatisfy { $0.file.hasSuffix(".mov") && $0.encoder == nil && $0.state == .finished })
        try await Shown(camera, in: daemon).check()
      }
      try await daemon.expectSound()
    }

    @Test("raw pictures are encoded, by whom is told; every picture once, by ffmpeg and by melt")
    func raw() async throws {
      let daemon = TestDaemon(TestDaemon.ownKeys + "[Recording]\nEncoder=libx264\n", demo: 1)
      try await daemon.start()
      let words = ["camera", "set", "test-1", "--format", "YUYV", "--size", "320x240"]
      #expect(await daemon.ctl(words).status == 0)
      try await daemon.record(pictures: 35)
      let take = try await daemon.takeStop()
      let camera = try #require(take.cameras.first)
      #expect(camera.clips.map(\.format.description) == ["YUYV 320x240 at 30"])
      #expect(camera.clips.allSatisfy { $0.file.hasSuffix(".mp4") && $0.encoder?.contains("x264") == true })
      try await Shown(camera, in: daemon).check()
      let probe = await Program.ended(
        "ffprobe",
        [
          "-v", "error", "-select_streams", "v", "-show_entries", "stream=codec_name", "-of", "csv=p=0",
          "\(daemon.takes)/\(take.id)/\(camera.clips[0].file)",
        ])
      #expect(probe.text == "h264\n")
      try await daemon.expectSound()
    }

    @Test("armed, a take begins before Record was pressed, and is exact from its first picture on")
    func preroll() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      #expect(await daemon.ctl("record", "arm").text == "armed\n")
      try await wait("a second of pictures") {
        try await daemon.json("cameras", as: [CameraDescription].self).allSatisfy { $0.stream?.frames ?? 0 >= 30 }
      }
      #expect(daemon.statusLine.hasPrefix("armed, 2 cameras"))
      let started = try await daemon.record()
      #expect(started.cameras.allSatisfy { $0.offsetSeconds ?? 0 < -0.5 }, "\(started.cameras)")
      let take = try await daemon.takeStop()
      #expect(take.cameras.allSatisfy { $0.offsetSeconds ?? 0 < -0.5 })
      try await daemon.expectSound()
      #expect(await daemon.ctl("record", "arm", "off").text == "not armed\n")
    }

    @Test("below the reserve no take begins, with the figures and the cure; the rest works")
    func reserve() async throws {
      let daemon = TestDaemon("[Storage]\nDiskReserve=1024T\n")
      try await daemon.start()
      let refused = await daemon.ctl("record", "start")
      #expect(refused.status == ExitStatus.cantCreate.rawValue)
      #expect(refused.errors.contains("are kept free. Delete takes or use a larger volume."), "\(refused.errors)")
      #expect(daemon.statusLine.contains("are kept free"), "\(daemon.statusLine)")
      #expect(await daemon.ctl("cameras").status == 0)
      #expect(try await daemon.json("takes", as: [TakeSummary].self).isEmpty)
      #expect(try await daemon.json("status", as: RigStatus.self).storage.message.contains("are kept free"))
    }

    @Test("a media directory that is not there is its own state, and never made elsewhere")
    func missing() async throws {
      let daemon = TestDaemon("[Storage]\nMediaDirectory=/media/not-mounted/takes\n")
      try await daemon.start()
      let text =
        "/media/not-mounted/takes is not there. Mount its volume, create the folder, or set MediaDirectory= in "
        + "camrig.conf."
      let refused = await daemon.ctl("record", "start")
      #expect(refused.status == ExitStatus.unavailable.rawValue)
      #expect(refused.errors == "camrigctl: \(text)\n")
      let storage = try await daemon.json("status", as: RigStatus.self).storage
      #expect(storage.message == text && storage.freeBytes == nil)
      #expect(access("/media/not-mounted", F_OK) != 0)
      #expect(access(daemon.takes, F_OK) != 0)
    }

    @Test(
      "a media directory that the service may not write says whose it must be",
      .enabled(if: geteuid() != 0 || TestDaemon.isForeign))
    func forbidden() async throws {
      let media = TemporaryDirectory()
      chmod(media.path, 0o555)
      let daemon = TestDaemon("[Storage]\nDiskReserve=16M\nMediaDirectory=\(media.path)\n")
      try await daemon.start()
      let refused = await daemon.ctl("record", "start")
      #expect(refused.status == ExitStatus.unavailable.rawValue)
      #expect(
        refused.errors == "camrigctl: \(media.path) may not be written by the service's user. "
          + "Give it to the user: chown camrig: \(media.path)\n")
    }
  }
}
