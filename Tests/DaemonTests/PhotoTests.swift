import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("Its photos")
  struct Photos {
    private func shots(_ daemon: TestDaemon) async throws -> [ShotRecord] {
      try await daemon.json("photo", "list", as: [ShotRecord].self)
    }

    private func path(_ daemon: TestDaemon, _ shot: ShotRecord, _ photo: PhotoRecord) -> String {
      "\(daemon.takes)/shots/\(shot.shot)/\(photo.file)"
    }

    @Test("one of each camera at once, whole for ExifTool and jpeginfo, copied where it is wanted, and listed")
    func photo() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let out = TemporaryDirectory()
      let shot = try await daemon.json("photo", "--output", out.path, as: ShotRecord.self)
      #expect(shot.photos.map(\.camera.rawValue).sorted() == ["test-1", "test-2"] && shot.failures.isEmpty)
      #expect(try #require(shot.spreadMilliseconds) < 100)
      for photo in shot.photos {
        let bytes = FileBytes.read(path(daemon, shot, photo))
        #expect(bytes.count == photo.bytes && FileBytes.read("\(out.path)/\(photo.file)") == bytes)
        let copy = "\(out.path)/\(photo.file)"
        let info = await Program.ended("jpeginfo", ["-c", copy])
        #expect(info.status == 0 && info.text.contains("OK"), "\(info.text)")
        let exif = await Program.ended(
          "exiftool", ["-validate", "-n", "-s3", "-ImageDescription", "-Model", "-ExifImageWidth", copy])
        #expect(exif.lines == ["0 0 0", photo.cameraName, photo.cameraName, "1280"], "\(exif.text)\(exif.errors)")
      }
      #expect(try await shots(daemon) == [shot])
      #expect(await daemon.ctl("photo", "--output", out.path + "/none").status == ExitStatus.cantCreate.rawValue)
    }

    @Test("while recording it is a picture of the recording, whose account stays exact")
    func whileRecording() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      try await daemon.record(pictures: 5)
      let shot = try await daemon.json("photo", "test-1", as: ShotRecord.self)
      #expect(shot.photos.count == 1)
      let refused = await daemon.ctl("photo", "--still")
      #expect(refused.status == ExitStatus.tempFail.rawValue)
      #expect(refused.errors.contains("would break the recording"), "\(refused.errors)")
      _ = try await daemon.takeStop()
      try await daemon.expectSound()
    }

    @Test("in the largest size, and the stream goes on in its own")
    func still() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let small = PixelSize(width: 320, height: 240)
      _ = try await daemon.json("camera", "set", "test-1", "--size", "320x240", as: CameraDescription.self)
      #expect(await daemon.ctl("record", "arm").status == 0)
      try await wait("the stream") {
        try await daemon.json("camera", "show", "test-1", as: CameraDescription.self).granted?.size == small
      }
      let shot = try await daemon.json("photo", "test-1", "--still", as: ShotRecord.self)
      #expect(shot.photos.map(\.width) == [1280] && shot.source == .still)
      try await wait("the stream") {
        let camera = try await daemon.json("camera", "show", "test-1", as: CameraDescription.self)
        return camera.granted?.size == small && camera.state == .streaming
      }
      #expect(try await daemon.json("photo", "test-1", as: ShotRecord.self).photos.map(\.width) == [320])
    }

    @Test("a self-timer is heard by everybody and cancelled by anybody; a burst is one shot")
    func timerAndBurst() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let watcher = daemon.startCtl("watch", "--json")
      let presser = daemon.startCtl("photo", "test-1", "--timer", "20")
      try await wait("the countdown") {
        try await daemon.json("status", as: RigStatus.self).photo?.countdown?.seconds == 20
      }
      #expect(await daemon.ctl("photo", "cancel").status == 0)
      let pressed = await presser.ended(seconds: 20)
      #expect(pressed.status == ExitStatus.unavailable.rawValue)
      #expect(pressed.text.contains("cancelled"), "\(pressed.text)")
      let shot = try await daemon.json("photo", "test-1", "--count", "3", "--interval", "0.1", as: ShotRecord.self)
      #expect(shot.photos.map(\.number) == [1, 2, 3])
      watcher.signal(SIGINT)
      let heard = await watcher.ended(seconds: 20).text
      #expect(heard.contains("\"photo.countdown\"") && heard.contains("\"secondsLeft\":20"), "\(heard)")
      #expect(try await shots(daemon).map(\.shot) == [shot.shot])
    }

    @Test("the list is made anew from the files, with and without shot.json")
    func rebuilt() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let first = try await daemon.json("photo", "test-1", as: ShotRecord.self)
      let second = try await daemon.json("photo", "test-2", as: ShotRecord.self)
      await daemon.stop()
      for name in ["", "-wal", "-shm"] { unlink("\(daemon.state)/catalog.sqlite\(name)") }
      unlink("\(daemon.takes)/shots/\(second.shot)/shot.json")
      try await daemon.start()
      try await wait("the list") { try await self.shots(daemon).count == 2 }
      let listed = try await shots(daemon)
      #expect(listed.contains(first))
      let made = try #require(listed.first { $0.shot == second.shot })
      #expect(made.photos.map(\.file) == second.photos.map(\.file) && made.photos.map(\.width) == [1280])
    }

    @Test("below the reserve none is taken, with the figures and the cure")
    func reserve() async throws {
      let daemon = TestDaemon("[Storage]\nDiskReserve=1024T\n")
      try await daemon.start()
      let refused = await daemon.ctl("photo")
      #expect(refused.status == ExitStatus.cantCreate.rawValue)
      #expect(refused.errors.contains("are kept free. Delete takes or use a larger volume."), "\(refused.errors)")
    }
  }
}
