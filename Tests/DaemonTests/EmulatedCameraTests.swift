import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  /// Cameras that udev finds, in a test bed, and that are opened by V4L2's calls.
  @Suite("Cameras in its sockets", .enabled(if: FakeCam.bed != nil, "libumockdev-dev is not installed"))
  struct EmulatedCameras {
    private static let cameras = """
      [cam0]
      path = /dev/video0
      card = Front
      bus_info = usb-0000:00:14.0-1
      serial = 200901010001
      vendor = 046d
      product = 0825
      format = MJPG 640x480 30 size=20000
      [meta]
      path = /dev/video1
      card = Front
      bus_info = usb-0000:00:14.0-1
      meta = 1
      [cam2]
      path = /dev/video2
      card = Side
      bus_info = usb-0000:00:14.0-2
      vendor = 1234
      product = 5678
      format = MJPG 640x480 30 size=20000
      [cam3]
      path = /dev/video3
      card = Front
      bus_info = usb-0000:00:14.0-3
      serial = 200901010001
      vendor = 046d
      product = 0825
      format = MJPG 640x480 30 size=20000

      """
    private let side = CameraID("port-pci-0000:00:14.0-usb-0:2:1.0-00")

    private func start(_ daemon: TestDaemon, script: String = "") async throws {
      try await daemon.start(cameras: Self.cameras, count: 3, script: script)
    }

    private func recording(_ id: CameraID, _ daemon: TestDaemon) async throws -> RecordingCameraStatus? {
      try await daemon.json("status", as: RigStatus.self).recording?.cameras.first { $0.camera == id }
    }

    /// The sequence numbers that the emulation wrote into its pictures, as they stand in a file.
    private func sequences(_ path: String) -> [UInt64] {
      let bytes = FileBytes.read(path)
      let mark = Array("FAKECAM n=".utf8)
      return bytes.indices.dropLast(40).compactMap { at in
        guard bytes[at] == mark[0], bytes[at + 1] == mark[1], bytes[at..<at + mark.count].elementsEqual(mark) else {
          return nil
        }
        // FAKECAM n=0000000007 s=0000000007 t=…
        return UInt64(String(decoding: bytes[at + 23..<at + 33], as: UTF8.self))
      }
    }

    @Test("twins get an ID each and are marked; unplugged in a take, a camera has two clips and a gap")
    func unplugged() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      let cameras = try await daemon.json("cameras", as: [CameraDescription].self)
      #expect(cameras.count == 3)
      // Both were there when the rig first looked: neither has the serial to itself.
      let twins = ["1", "3"].map { CameraID("port-pci-0000:00:14.0-usb-0:\($0):1.0-00") }
      #expect(Set(cameras.map(\.id)) == Set(twins + [side]))
      for camera in cameras {
        #expect(camera.sharesSerialWith == (camera.id == side ? [] : twins.filter { $0 != camera.id }))
      }

      try await daemon.record(pictures: 20)
      try await daemon.tellCameras("unplug", "2")
      try await wait("the gap") { try await recording(side, daemon)?.inGap == true }
      #expect(daemon.statusLine.contains("NO PICTURE from Side"), "\(daemon.statusLine)")
      let before = try await recording(side, daemon)?.frames ?? 0
      try await daemon.tellCameras("plug", "2")
      try await wait("its pictures") {
        let camera = try await recording(side, daemon)
        return camera?.clips == 2 && camera?.inGap == false && camera?.frames ?? 0 > before + 10
      }
      let take = try await daemon.takeStop()
      #expect(take.cameras.count == 3)
      for camera in take.cameras {
        #expect(camera.clips.count == (camera.id == side ? 2 : 1), "\(camera.name)")
        #expect(camera.gaps.map(\.reason) == (camera.id == side ? [.unplugged] : []), "\(camera.name)")
        #expect(camera.gaps.allSatisfy { $0.to != nil })
        for clip in camera.clips {
          let found = sequences("\(daemon.takes)/\(take.id)/\(clip.file)")
          #expect(UInt64(found.count) == clip.frames)
          #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
        }
      }
      try await daemon.expectSound()
    }

    @Test("one that another program holds is listed as busy, takes nothing from the others, and joins when it is free")
    func busy() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(
        daemon, script: ["REQBUFS", "S_FMT", "S_PARM", "STREAMON"].map { "t=0 errno 2 \($0) EBUSY 0\n" }.joined())
      try await wait("busy") {
        try await daemon.json("camera", "show", side.rawValue, as: CameraDescription.self).state == .busy
      }
      let camera = try await daemon.json("camera", "show", side.rawValue, as: CameraDescription.self)
      let text = "/dev/video2 is in use by another program. Find it with: fuser -v /dev/video2"
      #expect(camera.message == text)
      #expect(camera.device?.formats.isEmpty == false)
      let refused = await daemon.ctl("record", "start", "--camera", side.rawValue)
      #expect(refused.status == ExitStatus.unavailable.rawValue)
      #expect(refused.errors.contains(text), "\(refused.errors)")

      let started = try await daemon.record(pictures: 0)
      #expect(started.cameras.filter { $0.problem == nil }.count == 2)
      #expect(started.cameras.first { $0.id == side }?.problem?.contains(text) == true)
      try await daemon.tellCameras("clear", "2")
      try await wait("its first clip") { try await recording(side, daemon)?.frames ?? 0 > 0 }
      let take = try await daemon.takeStop()
      let late = try #require(take.cameras.first { $0.id == side })
      #expect(late.clips.count == 1)
      #expect(late.offsetSeconds ?? 0 > 0)
      try await daemon.expectSound()
    }
  }
}
