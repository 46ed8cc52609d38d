import CamrigModel
import Glibc
import TestSupport
import Testing

/// A camrigd with a state of its own. Where the tests run as root it is nobody's, as a service without rights.
final class TestDaemon: Sendable {
  let directory = TemporaryDirectory()
  let demoCameras: Int
  /// Where it is in the network.
  let listen: String
  private let notify: NotifySocket
  private let told = Guarded<[String]>([])
  private let program = Guarded<RunningProgram?>(nil)

  /// Room for a take is no matter of these tests, and the group of the installed service is not there.
  static let ownKeys = "[Storage]\nDiskReserve=16M\n"

  init(_ configuration: String = ownKeys, demo: Int = 2, listen: String = "none") {
    demoCameras = demo
    self.listen = listen
    notify = NotifySocket(directory.path + "/notify")
    for name in ["state", "run"] { mkdir("\(directory.path)/\(name)", 0o755) }
    configure(configuration)
    chmod(directory.path, 0o755)
    guard Self.isForeign else { return }
    for name in ["", "/state", "/run"] { chown(directory.path + name, Self.nobody, Self.nobody) }
  }

  var configurationPath: String { directory.path + "/camrig.conf" }
  var state: String { directory.path + "/state" }
  var takes: String { state + "/takes" }
  var socket: String { directory.path + "/run/control.sock" }
  var arguments: [String] {
    [
      "--config", configurationPath, "--state-dir", state, "--runtime-dir", directory.path + "/run", "--demo",
      "\(demoCameras)", "--listen", listen,
    ]
  }

  func configure(_ text: String) {
    FileBytes.write(Array(text.utf8), to: configurationPath)
    chmod(configurationPath, 0o644)
  }

  // MARK: camrigd

  /// Starts it and waits until it tells systemd that it is ready.
  /// - Parameter through: a program and its arguments that start it.
  func start(through: [String] = [], state: String? = nil, environment: [String: String] = [:]) async throws {
    let words =
      Self.unprivileged + through + [Self.path("camrigd")] + arguments + (state.map { ["--state-dir", $0] } ?? [])
    let running = RunningProgram(
      words[0], Array(words.dropFirst()),
      environment: ["NOTIFY_SOCKET": notify.path, "SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 })
    program.withLock { $0 = running }
    told.withLock { $0 = [] }
    try await wait("READY=1") {
      guard running.isRunning else { throw Ended(errors: running.errors) }
      return self.messages.contains { $0.hasPrefix("READY=1") }
    }
  }

  struct Ended: Error { let errors: String }

  /// Starts it in the hope that it ends by itself.
  func runToEnd(_ more: [String] = []) async -> Program {
    let words = Self.unprivileged + [Self.path("camrigd")] + arguments + more
    return await Program.ended(words[0], Array(words.dropFirst()), seconds: 20)
  }

  private var running: RunningProgram {
    guard let running = program.withLock({ $0 }) else { preconditionFailure("a test starts its daemon first") }
    return running
  }

  /// What it has told systemd since its start.
  var messages: [String] {
    while let message = notify.poll() { told.withLock { $0.append(message) } }
    return told.withLock { $0 }
  }

  /// The line of `systemctl status`.
  var statusLine: String {
    messages.compactMap { message in
      message.split(separator: "\n").first { $0.hasPrefix("STATUS=") }.map { String($0.dropFirst(7)) }
    }.last ?? ""
  }

  var log: [String] { running.errors.split(separator: "\n").map(String.init) }
  var isRunning: Bool { running.isRunning }
  var process: Int32? { running.process }
  func signal(_ number: Int32) { running.signal(number) }

  /// SIGTERM, and what is left of it.
  @discardableResult
  func stop(_ number: Int32 = SIGTERM) async -> Program {
    let running = running
    running.signal(number)
    return await running.ended(seconds: 30)
  }

  // MARK: camrigctl

  @discardableResult
  func ctl(_ words: String...) async -> Program { await ctl(words) }

  func ctl(_ words: [String]) async -> Program {
    await Program.ended(Self.path("camrigctl"), ["--runtime-dir", directory.path + "/run"] + words, seconds: 60)
  }

  /// One whose answer is not waited for.
  func startCtl(_ words: String...) -> RunningProgram {
    RunningProgram(Self.path("camrigctl"), ["--runtime-dir", directory.path + "/run"] + words)
  }

  /// The one JSON document of a command that succeeds, as `type`.
  func json<T: Decodable>(
    _ words: String..., as type: T.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> T {
    let run = await ctl(words + ["--json"])
    try #require(run.status == 0, "\(words): \(run.errors)", sourceLocation: sourceLocation)
    return try JSONValue(json: run.output).decode(type)
  }

  /// Begins a take and waits until each camera has so many pictures on the volume.
  @discardableResult
  func record(_ words: String..., pictures: UInt64 = 1) async throws -> TakeStarted {
    let run = await ctl(["record", "start", "--json"] + words)
    try #require(run.status == 0, "\(run.errors)")
    let started = try JSONValue(json: run.output).decode(TakeStarted.self)
    try await waitForPictures(pictures)
    return started
  }

  func waitForPictures(_ count: UInt64) async throws {
    try await wait("\(count) pictures of each camera") {
      let recording = try await self.json("status", as: RigStatus.self).recording
      return recording?.cameras.allSatisfy { $0.frames >= count } == true
    }
  }

  func takeStop() async throws -> TakeManifest { try await json("record", "stop", as: TakeManifest.self) }

  /// Each clip of a take plays, and the files prove the ledger.
  func expectSound(_ take: String = "last", sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let report = await ctl("take", "verify", take)
    #expect(report.status == 0, "\(report.text)\(report.errors)", sourceLocation: sourceLocation)
    let manifest = try await json("take", "show", take, as: TakeManifest.self, sourceLocation: sourceLocation)
    for clip in manifest.cameras.flatMap(\.clips) where clip.state != .empty {
      let path = "\(takes)/\(manifest.id)/\(clip.file)"
      let play = await Program.ended(
        "ffmpeg", ["-v", "error", "-xerror", "-i", path, "-map", "0", "-f", "null", "-"])
      #expect(play.status == 0 && play.errors == "", "\(clip.file): \(play.errors)", sourceLocation: sourceLocation)
    }
  }

  // MARK: Around it

  static func path(_ program: String) -> String { "\(FakeCam.builtDirectory)/\(program)" }

  static let nobody: uid_t = 65534
  private static let setpriv = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  /// Whether it runs as another user than the test. A checkout below /root is closed to that one.
  static let isForeign: Bool = {
    let words = setpriv + ["test", "-x", path("camrigd")]
    return geteuid() == 0 && Program.run(words[0], Array(words.dropFirst())).status == 0
  }()

  /// What stands before a program's name. Its time of the processor is bounded: a test that crashes leaves it behind.
  private static let unprivileged = ["prlimit", "--cpu=120"] + (isForeign ? setpriv : [])
}

struct InVain: Error { let what: String }

/// Suspends until `condition` holds; gives up after far longer than it can take.
func wait(_ what: String, until condition: @Sendable () async throws -> Bool) async throws {
  let deadline = SystemClock().now + .seconds(120)
  while !(try await condition()) {
    guard SystemClock().now < deadline else { throw InVain(what: what) }
    try await Task.sleep(for: .milliseconds(10))
  }
}
