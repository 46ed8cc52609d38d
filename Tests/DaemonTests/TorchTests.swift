import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("Torches of a rig")
  struct Torches {
    /// LEDs in a folder, the helper behind its socket as systemd would start it, and a daemon that knows both.
    private final class Lit: Sendable {
      let daemon = TestDaemon(
        TestDaemon.ownKeys + "[Torch]\nLights=key=led:white:lamp@test-1\nTally=led:ACT\n", demo: 1)
      let leds = TemporaryDirectory()
      private let helper: RunningProgram
      private let socket: String

      init() {
        for (name, most) in [("white:lamp", 200), ("ACT", 255), ("white:flash", 10), ("input3::capslock", 1)] {
          mkdir("\(leds.path)/\(name)", 0o755)
          FileBytes.write(Array("\(most)\n".utf8), to: "\(leds.path)/\(name)/max_brightness")
          FileBytes.write(Array("0\n".utf8), to: "\(leds.path)/\(name)/brightness")
          for file in ["max_brightness", "brightness"] { chmod("\(leds.path)/\(name)/\(file)", 0o644) }
        }
        chmod(leds.path, 0o755)
        socket = leds.path + "/torch.sock"
        helper = RunningProgram(
          "systemd-socket-activate",
          ["-l", socket, TestDaemon.path("camrig-torch"), "--leds", leds.path, "--config", daemon.configurationPath])
      }

      func start() async throws {
        try await wait("the helper's socket") { access(self.socket, F_OK) == 0 }
        chmod(socket, 0o666)
        try await daemon.start(environment: ["CAMRIG_LEDS": leds.path, "CAMRIG_TORCH_SOCKET": socket])
      }

      func level(_ name: String) -> Int? {
        Int(String(decoding: FileBytes.read("\(leds.path)/\(name)/brightness"), as: UTF8.self).filter(\.isNumber))
      }
    }

    @Test("go on and off by camrigctl, and off when the daemon is killed")
    func switched() async throws {
      let lit = Lit()
      try await lit.start()
      let known = try await lit.daemon.json("torch", as: [TorchDescription].self)
      #expect(known.map(\.id) == ["key", "white:flash"])
      #expect(known.map(\.camera?.rawValue) == ["test-1", nil])
      let on = try await lit.daemon.json("torch", "key", "120", as: TorchDescription.self)
      #expect(on.level == 120)
      #expect(lit.level("white:lamp") == 120)
      #expect(await lit.daemon.ctl("torch", "key", "off").status == 0)
      #expect(lit.level("white:lamp") == 0)
      #expect(await lit.daemon.ctl("torch", "--camera", "test-1", "on").status == 0)
      #expect(lit.level("white:lamp") == 120)
      await lit.daemon.stop(SIGKILL)
      try await wait("the light is off") { lit.level("white:lamp") == 0 }
    }

    @Test("an LED that is unplugged says so, and is noticed when it is back")
    func unplugged() async throws {
      let lit = Lit()
      try await lit.start()
      #expect(await lit.daemon.ctl("torch", "key", "120").status == 0)
      rename("\(lit.leds.path)/white:lamp", "\(lit.leds.path)/.away")
      let gone = try #require(try await lit.daemon.json("torch", as: [TorchDescription].self).first)
      #expect(gone.message.contains("there is no /sys/class/leds/white:lamp") && !gone.on && gone.maxLevel == 200)
      #expect(await lit.daemon.ctl("torch", "key", "on").errors.contains("white:lamp"))
      // As the kernel does it: another file under the same name.
      FileBytes.write(Array("0\n".utf8), to: "\(lit.leds.path)/.away/new")
      rename("\(lit.leds.path)/.away/new", "\(lit.leds.path)/.away/brightness")
      chmod("\(lit.leds.path)/.away/brightness", 0o644)
      rename("\(lit.leds.path)/.away", "\(lit.leds.path)/white:lamp")
      #expect(try await lit.daemon.json("torch", as: [TorchDescription].self).first?.message == "")
      #expect(try await lit.daemon.json("torch", "key", "on", as: TorchDescription.self).level == 120)
      let watching = lit.daemon.startCtl("watch")
      try await wait("it is told") {
        for level in ["3\n", "7\n"] {
          FileBytes.write(Array(level.utf8), to: "\(lit.leds.path)/white:lamp/brightness")
          try await Task.sleep(for: .milliseconds(50))
        }
        return watching.text.contains("key 7 of 200")
      }
    }

    @Test("one that a reload names goes on at once, and one that it names no more goes off")
    func reloaded() async throws {
      let lit = Lit()
      try await lit.start()
      // The helper runs by now, and stays for a while.
      #expect(await lit.daemon.ctl("torch", "key", "120").status == 0)
      let configuration = TestDaemon.ownKeys + "[Torch]\nLights=caps=led:input3::capslock\n"
      lit.daemon.configure(configuration)
      lit.daemon.signal(SIGHUP)
      try await wait("the light is off") { lit.level("white:lamp") == 0 }
      try await wait("the new one") {
        try await lit.daemon.json("torch", as: [TorchDescription].self).contains { $0.id == "caps" }
      }
      let on = await lit.daemon.ctl("torch", "caps", "on")
      #expect(on.status == 0, "\(on.errors)")
      #expect(lit.level("input3::capslock") == 1)
    }

    @Test("that somebody else switches are seen as they are")
    func foreign() async throws {
      let lit = Lit()
      try await lit.start()
      let watching = lit.daemon.startCtl("watch")
      try await wait("it is told") {
        // Once more, as long as nobody watches yet.
        for level in ["3\n", "7\n"] {
          FileBytes.write(Array(level.utf8), to: "\(lit.leds.path)/white:flash/brightness")
          try await Task.sleep(for: .milliseconds(50))
        }
        return watching.text.contains("white:flash 7 of 10")
      }
      await lit.daemon.stop()
      #expect(lit.level("white:flash") == 0)
    }

    @Test("shine for a photo with --flash, and are afterwards what they were")
    func flash() async throws {
      let lit = Lit()
      try await lit.start()
      #expect(await lit.daemon.ctl("torch", "key", "50").status == 0)
      let watching = lit.daemon.startCtl("watch")
      try await wait("it watches") { watching.text.contains("key 50") || lit.level("white:flash") == 0 }
      let shot = try await lit.daemon.json("photo", "test-1", "--flash", "--count", "2", as: ShotRecord.self)
      #expect(shot.photos.map(\.flash) == [true, true] && shot.failures == [])
      #expect(lit.level("white:lamp") == 50)
      #expect(lit.level("white:flash") == 0)
      watching.signal(SIGINT)
      let heard = await watching.ended(seconds: 20).text
      #expect(heard.contains("white:flash 10 of 10"), "\(heard)")
    }

    @Test("the tally shows that a take runs")
    func tally() async throws {
      let lit = Lit()
      try await lit.start()
      #expect(await lit.daemon.ctl("record", "start").status == 0)
      try await wait("the tally") { lit.level("ACT") == 255 }
      #expect(await lit.daemon.ctl("record", "stop").status == 0)
      try await wait("no tally") { lit.level("ACT") == 0 }
    }

    @Test("a rig without any says so, and a wish is an error")
    func none() async throws {
      let daemon = TestDaemon()
      try await daemon.start(environment: ["CAMRIG_LEDS": "/nonexistent"])
      #expect(await daemon.ctl("torch").text.contains("no torch"))
      let refused = await daemon.ctl("torch", "on")
      #expect(refused.status == ExitStatus.noInput.rawValue)
      #expect(refused.errors.contains("This rig has no torch."))
    }
  }
}
