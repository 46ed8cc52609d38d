import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  /// An emulated camera with a flash of V4L2's class, and one with a lamp of its vendor's.
  @Suite("The lights in its cameras", .enabled(if: FakeCam.bed != nil, "libumockdev-dev is not installed"))
  struct CameraLights {
    /// - Parameter mode: 2: the light is on already.
    private static func cameras(mode: Int = 0) -> String {
      """
      [cam0]
      path = /dev/video0
      card = Front
      bus_info = usb-0000:00:14.0-1
      serial = 200901010001
      vendor = 046d
      product = 0825
      format = MJPG 640x480 30 size=20000
      control = flash_led_mode menu menu=Off|Flash|Torch def=\(mode)
      control = flash_torch_intensity int min=25 max=200 step=25 def=50
      control = flash_fault bitmask max=511 readonly volatile
      control = led1_mode menu menu=Off|On|Blinking|Auto def=3
      [cam1]
      path = /dev/video1
      card = Side
      bus_info = usb-0000:00:14.0-2
      vendor = 1234
      product = 5678
      format = MJPG 640x480 30 size=20000
      control = front_lamp bool id=0x0a046d77

      """
    }
    private static let front = "usb-046d-0825-200901010001-00/torch"
    private static let side = "port-pci-0000:00:14.0-usb-0:2:1.0-00/front_lamp"

    private func torches(_ daemon: TestDaemon) async throws -> [String: TorchDescription] {
      let torches = try await daemon.json("torch", as: [TorchDescription].self)
      return Dictionary(torches.map { ($0.name, $0) }) { first, _ in first }
    }

    private func start(_ daemon: TestDaemon, mode: Int = 0) async throws {
      try await daemon.start(cameras: Self.cameras(mode: mode), count: 2, environment: ["CAMRIG_LEDS": "/nonexistent"])
      try await wait("its torches") { try await self.torches(daemon).count == 2 }
    }

    @Test("are torches of the rig, go on and off, and are off when it ends; what somebody else switches is seen")
    func switched() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      let known = try await torches(daemon)
      #expect(known["Front"]?.backend == .flashControl && known["Front"]?.maxLevel == 8)
      #expect(known["Side"]?.backend == .control && known["Side"]?.maxLevel == 1)
      #expect(known.mapValues(\.camera?.rawValue) == known.mapValues { String($0.id.prefix { $0 != "/" }) })
      let on = try await daemon.json("torch", "Front", "6", as: TorchDescription.self)
      #expect(on.level == 6)
      #expect(await daemon.ctl("torch", "--camera", "Side", "on").status == 0)
      #expect(
        daemon.cameraWrites.suffix(3) == ["Flash Torch Intensity=150 ok", "Flash Led Mode=2 ok", "Front Lamp=1 ok"])
      try await daemon.tellCameras("ctrl", "0", "flash_torch_intensity", "75")
      try await wait("the other level") { try await torches(daemon)["Front"]?.level == 3 }
      try await daemon.tellCameras("ctrl", "0", "flash_fault", "256")
      try await wait("the fault") {
        try await torches(daemon)["Front"]?.message.contains("the LED is too hot") == true
      }
      await daemon.stop()
      // At once, and one of them is two writes.
      #expect(Set(daemon.cameraWrites.suffix(3)).isSuperset(of: ["Flash Led Mode=0 ok", "Front Lamp=0 ok"]))
      // Nobody's choice for the next time.
      #expect(!String(decoding: FileBytes.read(daemon.state + "/settings.json"), as: UTF8.self).contains("led_mode"))
    }

    @Test("one that a crash left on goes off with camrigd --lights-off, and else when the rig starts")
    func crash() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      #expect(await daemon.ctl("torch", "Front", "on").status == 0)
      await daemon.stop(SIGKILL)
      #expect(daemon.cameraWrites.last == "Flash Led Mode=2 ok")
      let bed = try #require(FakeCam.bed)
      let run = await Program.ended(
        bed, ["--", TestDaemon.path("camrigd"), "--lights-off"],
        environment: daemon.emulation(Self.cameras(mode: 2)), seconds: 20)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.errors.contains("/dev/video0: torch switched off"), "\(run.errors)")
      #expect(daemon.cameraWrites.last == "Flash Led Mode=0 ok")
      let before = daemon.cameraWrites.count
      try await start(daemon, mode: 2)
      try await wait("it is off") { daemon.cameraWrites.dropFirst(before).contains("Flash Led Mode=0 ok") }
      #expect(try await torches(daemon)["Front"]?.on == false)
    }

    @Test("go off when nobody has touched them for as long as TimeLimit= says, and before their camera is disabled")
    func limits() async throws {
      let daemon = TestDaemon(TestDaemon.ownKeys + "[Torch]\nTimeLimit=1s\n", demo: 0)
      try await start(daemon)
      #expect(await daemon.ctl("torch", "Front", "on").status == 0)
      try await wait("it is off") { try await torches(daemon)["Front"]?.on == false }
      #expect(await daemon.ctl("torch", "Side", "on").status == 0)
      #expect(await daemon.ctl("camera", "disable", "Side").status == 0)
      #expect(daemon.cameraWrites.last == "Front Lamp=0 ok")
      try await wait("one torch") { try await torches(daemon).count == 1 }
      #expect(await daemon.ctl("camera", "enable", "Side").status == 0)
      try await wait("both torches") { try await torches(daemon).count == 2 }
    }

    @Test("are on for a photo with --flash, and afterwards what they were; a rig without light refuses")
    func flash() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      let before = daemon.cameraWrites.count
      let shot = try await daemon.json("photo", "Front", "--flash", as: ShotRecord.self)
      #expect(shot.photos.map(\.flash) == [true] && shot.failures == [])
      let writes = daemon.cameraWrites.dropFirst(before).filter { !$0.hasPrefix("STREAMON") }
      #expect(writes == ["Flash Torch Intensity=200 ok", "Flash Led Mode=2 ok", "Flash Led Mode=0 ok"])
      let photo = try #require(shot.photos.first)
      let exif = await Program.ended(
        "exiftool", ["-n", "-s3", "-Flash", "\(daemon.takes)/shots/\(shot.shot)/\(photo.file)"])
      #expect(exif.lines == ["9"], "\(exif.errors)")
      let dark = TestDaemon(demo: 1)
      try await dark.start(environment: ["CAMRIG_LEDS": "/nonexistent"])
      let refused = await dark.ctl("photo", "--flash")
      #expect(refused.status == ExitStatus.noInput.rawValue)
      #expect(refused.errors.contains("there is no flash"), "\(refused.errors)")
    }
  }
}
