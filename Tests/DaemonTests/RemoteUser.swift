import CamrigModel
import TestSupport
import Testing

/// Somebody on another machine, with a configuration folder of their own, who operates a daemon over TLS.
final class RemoteUser: Sendable {
  let folder = TemporaryDirectory()
  let daemon: TestDaemon
  private let network: NetworkStatus

  /// - Parameter daemon: runs, and listens in the network.
  init(_ daemon: TestDaemon) async throws {
    self.daemon = daemon
    network = try #require(try await daemon.json("status", as: RigStatus.self).network)
  }

  var fingerprint: String { network.fingerprint }
  var book: String { folder.path + "/camrig/rigs.json" }

  /// `127.0.0.1:PORT`
  var host: String {
    network.urls.first.map { String($0.drop { $0 != "1" }.dropLast()) } ?? ""
  }

  func code(_ role: AccessRole) async throws -> String {
    try await daemon.json("pair", "--role", role.rawValue, as: PairingOffer.self).code
  }

  /// Pairs as a person would who has compared the fingerprint.
  func connect(_ role: AccessRole) async throws {
    let run = await run("connect", host, "--code", try await code(role), "--fingerprint", fingerprint)
    try #require(run.status == 0, "\(run.errors)")
  }

  func run(_ words: String...) async -> Program { await run(words) }

  func run(_ words: [String]) async -> Program {
    await Program.ended(TestDaemon.path("camrigctl"), words, environment: environment, seconds: 60)
  }

  /// The same with `--host`.
  func ctl(_ words: String...) async -> Program { await ctl(words) }
  func ctl(_ words: [String]) async -> Program { await run(["--host", host] + words) }

  func json<T: Decodable>(_ words: String..., as type: T.Type) async throws -> T {
    let run = await ctl(words + ["--json"])
    try #require(run.status == 0, "\(words): \(run.errors)")
    return try JSONValue(json: run.output).decode(type)
  }

  func start(_ words: String...) -> RunningProgram {
    RunningProgram(TestDaemon.path("camrigctl"), ["--host", host] + words, environment: environment)
  }

  /// Without `--host`.
  func start(plain words: String...) -> RunningProgram {
    RunningProgram(TestDaemon.path("camrigctl"), words, environment: environment)
  }

  /// What this user shows the rig.
  func token() throws -> String {
    try #require(try JSONValue(json: FileBytes.read(book))["rigs"]?.asArray?.first?["token"]?.asString)
  }

  /// On a terminal, typing `lines`.
  func typing(_ lines: [String], _ words: String...) async -> Program {
    let quoted = ([TestDaemon.path("camrigctl")] + words).map { "'\($0)'" }.joined(separator: " ")
    return await Program.ended(
      "script", ["-qec", quoted, "/dev/null"], input: Array(lines.map { $0 + "\n" }.joined().utf8),
      environment: environment, seconds: 60)
  }

  /// By somebody who knows no rig. `host` is CAMRIG_HOST.
  static func nowhere(_ words: String..., host: String = "") async -> Program {
    let folder = TemporaryDirectory()
    return await Program.ended(
      TestDaemon.path("camrigctl"), words, environment: ["XDG_CONFIG_HOME": folder.path, "CAMRIG_HOST": host],
      seconds: 60)
  }

  var environment: [String: String] {
    ["XDG_CONFIG_HOME": folder.path, "CAMRIG_HOST": "", "SWIFT_BACKTRACE": "enable=no"]
  }
}
