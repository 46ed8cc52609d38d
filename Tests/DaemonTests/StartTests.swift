import CamrigModel
import Glibc
import HTTP
import TestSupport
import Testing

extension DaemonTests {
  @Suite("Its start, configuration and end")
  struct Start {
    @Test("it is ready with its cameras, in a line for systemctl status, and ends at SIGTERM with status 0")
    func ready() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      #expect(daemon.statusLine.hasPrefix("ready, 2 cameras, "), "\(daemon.statusLine)")
      let end = await daemon.stop()
      #expect(end.status == 0)
      #expect(daemon.messages.contains { $0.hasPrefix("STOPPING=1\n") })
      #expect(access(daemon.socket, F_OK) != 0)
    }

    @Test("it is ready without a camera")
    func noCamera() async throws {
      let daemon = TestDaemon(demo: 0)
      try await daemon.start()
      #expect(daemon.statusLine.hasPrefix("ready, 0 cameras"), "\(daemon.statusLine)")
      let refused = await daemon.ctl("record", "start")
      #expect(refused.status == ExitStatus.noInput.rawValue)
      #expect(refused.errors.contains("Plug one in"), "\(refused.errors)")
    }

    @Test("a second daemon on the same state says so and leaves the first alone")
    func second() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let second = await daemon.runToEnd()
      #expect(second.status == ExitStatus.tempFail.rawValue)
      #expect(second.errors.contains("another camrigd works with \(daemon.state)"), "\(second.errors)")
      #expect(await daemon.ctl("status").status == 0)
    }

    @Test("a state directory named from where one stands works as any other")
    func relative() async throws {
      let daemon = TestDaemon()
      try await daemon.start(through: ["env", "-C", daemon.directory.path], state: "state")
      try await daemon.record("--camera", "test-1")
      #expect(try await daemon.takeStop().cameras.count == 1)
      #expect(try await daemon.json("status", as: RigStatus.self).storage.directory == daemon.takes)
    }

    @Test(
      "a wrong line of the configuration ends it with 78, naming file and line",
      arguments: [
        ("[Storage]\nDiskReserve=lots\n", 2), ("[Storage]\n\nDiskReserv=2G\n", 3), ("v\n", 1), ("[Cameras\n", 1),
        ("[Cameras]\nDefaultSize=1280×720\n", 2), ("[Cameras]\nDefaultRate=1e9\n", 2), ("[Kameras]\n", 1),
      ])
    func badConfiguration(_ text: String, _ line: Int) async throws {
      let daemon = TestDaemon(text)
      let end = await daemon.runToEnd()
      #expect(end.status == ExitStatus.config.rawValue)
      #expect(end.errors.contains("\(daemon.configurationPath):\(line):"), "\(end.errors)")
      let check = await daemon.runToEnd(["--check-config"])
      #expect(check.status == ExitStatus.config.rawValue)
      #expect(check.errors.contains("\(daemon.configurationPath):\(line):"), "\(check.errors)")
    }

    @Test("--check-config says that a good file is in order, and starts nothing")
    func checks() async throws {
      let daemon = TestDaemon("\u{FEFF}[Rig]\r\nName=Stage\r\n")
      let check = await daemon.runToEnd(["--check-config"])
      #expect(check.status == 0)
      #expect(check.text == "\(daemon.configurationPath) is in order.\n")
      #expect(access(daemon.socket, F_OK) != 0)
    }

    @Test("a wrong command line ends it with 64")
    func usage() async throws {
      let end = await TestDaemon().runToEnd(["--port", "1"])
      #expect(end.status == ExitStatus.usage.rawValue)
      #expect(end.errors.contains("unknown option --port. See: camrigd --help"), "\(end.errors)")
    }

    @Test("at SIGHUP a broken file changes nothing and a good one counts")
    func reload() async throws {
      let daemon = TestDaemon(TestDaemon.ownKeys + "[Rig]\nName=Before\n")
      try await daemon.start()
      daemon.configure("[Rig]\nName=After\nColour=red\n")
      daemon.signal(SIGHUP)
      try await wait("the refusal") { daemon.log.contains { $0.contains("stays; nothing was changed") } }
      #expect(daemon.log.contains { $0.contains("\(daemon.configurationPath):3: [Rig] has no key") })
      #expect(try await daemon.json("status", as: RigStatus.self).name == "Before")

      daemon.configure(TestDaemon.ownKeys + "[Rig]\nName=After\n")
      daemon.signal(SIGHUP)
      try await wait("the new name") { try await daemon.json("status", as: RigStatus.self).name == "After" }
      try await wait("the end of the reload") {
        daemon.messages.filter { $0.hasPrefix("RELOADING=1\n") }.count == 2
          && daemon.messages.filter { $0.hasPrefix("READY=1\n") }.count == 3
      }
    }

    @Test("a port that systemd has opened is served beside its own, and listed", .enabled(if: activates))
    func inheritedPort() async throws {
      let port = try Self.freePort()
      let daemon = TestDaemon(demo: 0, listen: "127.0.0.1:0")
      let page = "https://127.0.0.1:\(port)/session"
      let caller = RunningProgram(
        "curl", ["--insecure", "--retry", "60", "--retry-connrefused", "--retry-delay", "1", page])
      try await daemon.start(through: [
        "systemd-socket-activate", "--listen=127.0.0.1:\(port)", "--fdname=https", "-E", "NOTIFY_SOCKET", "-E",
        "SWIFT_BACKTRACE",
      ])
      let answer = await caller.ended(seconds: 90)
      #expect(answer.text.contains("\"paired\":false"), "\(answer.errors)")
      let urls = try await daemon.json("status", as: RigStatus.self).network?.urls
      #expect(urls?.count == 2 && urls?.contains("https://127.0.0.1:\(port)/") == true, "\(urls ?? [])")
      #expect(access(daemon.socket, F_OK) == 0)
      await daemon.stop()
    }

    private static let activates = Program.run("which", ["systemd-socket-activate"]).status == 0

    /// One that nobody has just now.
    private static func freePort() throws -> UInt16 {
      guard case .network(_, let port) = try ListeningSocket.open(.network(address: "127.0.0.1", port: 0)).place else {
        throw InVain(what: "a port")
      }
      return port
    }

    @Test("what has to wait for the next start is named at a reload")
    func needsRestart() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      daemon.configure(TestDaemon.ownKeys + "MediaDirectory=/nowhere\n")
      daemon.signal(SIGHUP)
      try await wait("the warning") {
        daemon.log.contains { $0.contains("MediaDirectory= will count from the next start: systemctl restart camrig") }
      }
      #expect(try await daemon.json("status", as: RigStatus.self).storage.directory == daemon.takes)
    }
  }
}
