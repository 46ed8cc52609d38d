import CamrigModel
import CaptureSupport
import DaemonKit
import HTTP
import Monitor
import RigControl
import TestSupport
import Testing
import struct Settings.Configuration
import class Settings.SettingsStore

/// A rig with test patterns that is reached by TLS, by plain HTTP, and on a Unix socket.
final class RigInNetwork: Sendable {
  let directory = TemporaryDirectory()
  let sink = RecordingLogSink()
  let rig: Rig
  let link: NetworkLink
  let desk: MonitorDesk
  let book: MonitorBook
  let clock: TestClock
  let board: StateBoard

  init(
    demo: Int = 2, readingPatience: Duration = Volume.readingPatience,
    _ adjust: (inout NetworkLink.Settings) -> Void = { _ in },
    configure: (inout Configuration, TemporaryDirectory) -> Void = { _, _ in }
  ) async throws {
    var configuration = Configuration()
    configuration.storage.diskReserveBytes = 16 << 20
    configuration.rig.name = "Stage"
    configuration.cameras.idleTimeout = .zero
    configure(&configuration, directory)
    var parts = Rig.Parts(
      configuration: configuration, stateDirectory: directory.path, finder: FakeFinder(),
      settings: SettingsStore(path: directory.path + "/settings.json", log: sink.log), log: sink.log)
    parts.demoCameras = demo
    parts.readingPatience = readingPatience
    let clock = TestClock()
    self.clock = clock
    rig = Rig(parts)
    book = MonitorBook(path: directory.path + "/monitors.json", clock: clock, log: sink.log)
    let guests = GuestList()
    let desk = MonitorDesk(book: book, guests: guests)
    self.desk = desk
    let board = StateBoard(rig: rig, log: sink.log, forAdmins: { desk.adminMembers() })
    self.board = board
    guests.onChange { Task { await board.changed() } }
    link = try NetworkLink(
      rig: rig, handler: RigDispatcher(rig: rig, board: board, monitors: desk, log: sink.log), book: book,
      guests: guests, directory: directory.path + "/tls", log: sink.log)
    var settings = NetworkLink.Settings()
    settings.listen = [.network(address: "127.0.0.1", port: 0)]
    settings.plainListen = [.network(address: "127.0.0.1", port: 0)]
    settings.socketPath = directory.path + "/http.sock"
    settings.allowedHosts = ["rig.example"]
    adjust(&settings)
    link.use(settings)
    desk.use(link)
    try await rig.start()
    await eventually { await self.rig.cameras().allSatisfy { $0.device != nil } }
  }

  func end() async {
    await rig.shutdown()
    await board.finish()
    desk.use(nil)
    link.stop()
  }

  // MARK: As a client

  /// The port of the address with that scheme.
  func port(_ scheme: String) throws -> UInt16 {
    let url = try #require(link.status.urls.first { $0.hasPrefix(scheme + ":") })
    return try #require(UInt16(url.dropLast().split(separator: ":").last ?? ""))
  }

  func client(secure: Bool = true) throws -> HTTPClient {
    try HTTPClient(
      HTTPClient.Settings(
        host: "127.0.0.1", port: port(secure ? "https" : "http"),
        trust: secure ? .pinned(link.fingerprint) : .plain))
  }

  /// Pairs a monitor of that role; its token.
  func pair(_ role: AccessRole, name: String = "Phone") throws -> String {
    let (code, _) = try book.makeCode(for: role)
    return try book.pair(code: code, name: name, from: "192.0.2.7").token
  }

  func call(
    _ client: HTTPClient, _ token: String, _ method: String, _ params: JSONValue = [:]
  ) async throws -> JSONValue {
    let request = RPCRequest(id: .number(1), method: method, params: params)
    let answer = try await client.send(
      .post, "/rpc", headers: ["authorization": "Bearer \(token)"], body: request.json.bytes)
    return try JSONValue(json: answer.body)
  }
}

/// What a WebSocket brings, in order.
final class Inbox: WebSocketSession {
  private let messages = Guarded<[WebSocketMessage]>([])
  private let end = Guarded<WebSocketClosing?>(nil)

  var texts: [JSONValue] {
    messages.withLock { $0 }.compactMap { message in
      if case .text(let text) = message { try? JSONValue(json: text.utf8) } else { nil }
    }
  }

  var pictures: [[UInt8]] {
    messages.withLock { $0 }.compactMap { if case .binary(let bytes) = $0 { bytes } else { nil } }
  }

  var closing: WebSocketClosing? { end.withLock { $0 } }

  func opened(_ socket: WebSocket) {}
  func received(_ message: WebSocketMessage, from socket: WebSocket) { messages.withLock { $0.append(message) } }
  func closed(_ socket: WebSocket, _ reason: WebSocketClosing) { end.withLock { $0 = reason } }

  func answer(_ id: Int64) -> JSONValue? { texts.first { $0["id"] == .integer(id) } }
}
