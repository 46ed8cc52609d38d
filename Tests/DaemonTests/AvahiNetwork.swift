import CamrigModel
import Glibc
import TestSupport

/// Two machines on one cable, each with an avahi and a D-Bus of its own: network namespaces of this machine.
final class AvahiNetwork: Sendable {
  /// One of them.
  final class Machine: Sendable {
    let name: String
    private let directory: String
    private let address: String
    fileprivate let holder: RunningProgram
    private let bus = Guarded<RunningProgram?>(nil)
    private let avahi = Guarded<RunningProgram?>(nil)

    fileprivate init(_ name: String, _ directory: String, address: String) {
      self.name = name
      self.directory = directory
      self.address = address
      // A namespace lasts as long as a process in it.
      holder = RunningProgram("unshare", ["--net", "sleep", "600"])
      FileBytes.write(Array(Self.busRules(socket).utf8), to: "\(directory)/\(name)-bus.conf")
      FileBytes.write(
        Array(
          "[server]\nhost-name=\(name)\nuse-ipv6=no\nallow-interfaces=cable\n[wide-area]\nenable-wide-area=no\n".utf8),
        to: "\(directory)/\(name)-avahi.conf")
    }

    private var socket: String { "\(directory)/\(name)-bus" }
    /// For whoever shall take this machine's D-Bus for the system's.
    var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(socket)"] }

    func connect(to other: Machine?) async {
      if let other, let process = other.holder.process {
        await run("ip", "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", "\(process)")
      }
      await run("ip", "addr", "add", "\(address)/24", "dev", "cable")
      await run("ip", "link", "set", "cable", "up")
    }

    func startBus() async throws {
      let program = RunningProgram("dbus-daemon", ["--nofork", "--config-file=\(directory)/\(name)-bus.conf"])
      bus.withLock { $0 = program }
      try await wait("the bus of \(name)") { access(self.socket, F_OK) == 0 }
    }

    func startAvahi() async throws {
      let script =
        "mount -t tmpfs none /run && mkdir /run/avahi-daemon && exec avahi-daemon --file=\(directory)/\(name)-avahi.conf"
        + " --no-drop-root --no-chroot --no-rlimits --debug"
      let program = RunningProgram(
        "nsenter", words("unshare", "--mount", "sh", "-c", script), environment: environment)
      avahi.withLock { $0 = program }
      try await wait("avahi of \(name)") { program.errors.contains("Server startup complete") }
    }

    func stopAvahi() async {
      let program = avahi.withLock { avahi in
        defer { avahi = nil }
        return avahi
      }
      program?.signal(SIGTERM)
      _ = await program?.ended(seconds: 20)
    }

    func stop() async {
      await stopAvahi()
      bus.withLock { $0 = nil }
      holder.signal(SIGKILL)
    }

    /// Another program that announces something as `name`, until it is let go.
    func publish(_ name: String, _ type: String, port: Int) async throws -> RunningProgram {
      let program = RunningProgram("avahi-publish", ["-s", name, type, "\(port)"], environment: environment)
      try await wait("\(name) of another") { program.errors.contains("Established under name") }
      return program
    }

    /// What is found of that type from here, by name.
    func browse(_ type: String) async -> [String: Found] {
      let program = await Program.ended(
        "avahi-browse", ["--resolve", "--parsable", "--terminate", type], environment: environment, seconds: 20)
      var all: [String: Found] = [:]
      for line in program.lines where line.hasPrefix("=") {
        let parts = line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 10 else { continue }
        all[parts[3]] = Found(host: parts[6], port: parts[8], text: parts[9...].joined(separator: ";"))
      }
      return all
    }

    private func words(_ words: String...) -> [String] { ["--target", "\(holder.process ?? 0)", "--net"] + words }

    private func run(_ words: String...) async {
      _ = await Program.ended("nsenter", ["--target", "\(holder.process ?? 0)", "--net"] + words)
    }

    private static func busRules(_ socket: String) -> String {
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><listen>unix:path=\(socket)</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
        <allow receive_sender="*"/></policy></busconfig>
      """
    }
  }

  struct Found: Hashable {
    let host: String
    let port: String
    let text: String
  }

  /// Whether this machine can play two.
  static let isPossible =
    geteuid() == 0 && Program.run("unshare", ["--net", "--mount", "ip", "link", "set", "lo", "up"]).status == 0
    && ["avahi-daemon", "avahi-browse", "avahi-publish", "dbus-daemon"].allSatisfy {
      Program.run("which", [$0]).status == 0
    }

  let rig: Machine
  let other: Machine
  private let directory = TemporaryDirectory()

  init() async throws {
    chmod(directory.path, 0o755)
    rig = Machine("rig", directory.path, address: "10.77.0.1")
    other = Machine("other", directory.path, address: "10.77.0.2")
    try await wait("two namespaces") { Self.isApart(self.rig) && Self.isApart(self.other) }
    await rig.connect(to: other)
    await other.connect(to: nil)
  }

  func end() async {
    await rig.stop()
    await other.stop()
  }

  private static func isApart(_ machine: Machine) -> Bool {
    guard let process = machine.holder.process else { return false }
    return link("/proc/\(process)/ns/net") != link("/proc/self/ns/net")
  }

  private static func link(_ path: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = buffer.withUnsafeMutableBytes {
      readlink(path, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
