import CamrigModel
import HTTP
import TestSupport
import Testing

@Suite("The client", .serialized, .timeLimit(.minutes(5)))
struct ClientTests {
  private func plain(_ server: TestServer, _ change: (inout HTTPClient.Settings) -> Void = { _ in }) throws
    -> HTTPClient
  {
    var settings = HTTPClient.Settings(host: "127.0.0.1", port: server.port, trust: .plain)
    change(&settings)
    return try HTTPClient(settings)
  }

  private func failure<T>(_ body: () async throws(HTTPClientError) -> T) async -> HTTPClientError? {
    do throws(HTTPClientError) {
      _ = try await body()
      return nil
    } catch {
      return error
    }
  }

  @Test("a request is answered with status, headers and body")
  func get() async throws {
    let server = try TestServer()
    let client = try plain(server)
    let answer = try await client.send(.get, "/hello?name=a%20b", headers: ["authorization": "Bearer x"])
    #expect(answer.status == 200)
    #expect(answer.body == Array("hello a b\n".utf8))
    #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
    #expect(server.site.content.withLock { $0.requests.last?.headers["authorization"] } == "Bearer x")
    #expect(server.site.content.withLock { $0.requests.last?.headers["host"] } == "127.0.0.1:\(server.port)")
    #expect(try await client.send(.get, "/none").status == 404)
    try await onThread { client.close() }
  }

  @Test("bodies go and come whole, several at once, and an empty one too")
  func post() async throws {
    let server = try TestServer()
    let client = try plain(server)
    let bytes = [UInt8](repeating: 0x37, count: 700_000)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { FileBytes.areEqual(try await client.send(.post, "/echo", body: bytes).body, bytes) }
      }
      for try await isWhole in group { #expect(isWhole) }
    }
    let empty = try await client.send(.post, "/echo", body: [])
    #expect(empty.status == 200 && empty.body.isEmpty)
    #expect(try await client.send(.get, "/big").body.count == 3 << 20)
    try await onThread { client.close() }
  }

  @Test("it says who cannot be reached, and what was too long or cut off")
  func errors() async throws {
    let server = try TestServer()
    let nobody = try HTTPClient(.init(host: "127.0.0.1", port: 1, trust: .plain))
    guard
      case .noConnection("127.0.0.1:1", _) = await failure({ () throws(HTTPClientError) in
        try await nobody.send(.get, "/")
      })
    else {
      Issue.record("nobody listens on port 1")
      return
    }
    let client = try plain(server) { $0.answerBytes = 1000 }
    #expect(
      await failure { () throws(HTTPClientError) in try await client.send(.get, "/big") }
        == .tooLarge("127.0.0.1:\(server.port)", bytes: 1000))
    async let slow = failure { () throws(HTTPClientError) in try await client.send(.get, "/slow") }
    await eventually { server.site.content.withLock { $0.requests.contains { $0.path == "/slow" } } }
    try await onThread { client.close() }
    #expect(await slow == .closed)
    #expect(await failure { () throws(HTTPClientError) in try await client.send(.get, "/hello") } == .closed)
    try await onThread { nobody.close() }
  }

  @Test("a WebSocket is opened with a subprotocol, used, and closed by either side")
  func webSocket() async throws {
    let server = try TestServer()
    let client = try plain(server)
    let session = TestClientSession()
    let socket = try await client.open(
      "/socket", subprotocols: ["camrig.token.abc", "camrig.test.v1"], session: session)
    #expect(socket.subprotocol == "camrig.test.v1")
    // The server hears of it after the client has.
    await eventually { server.site.sessions.first?.socket != nil }
    #expect(server.site.sessions.first?.socket?.head.offeredSubprotocols == ["camrig.token.abc", "camrig.test.v1"])
    socket.send("höllo")
    let bytes = [UInt8](repeating: 0x37, count: 900_000)
    socket.send(.init(binary: [bytes]))
    await eventually { session.received.count == 2 }
    #expect(session.received.first == .text("höllo"))
    let isWhole = if case .binary(let back) = session.received.last { FileBytes.areEqual(back, bytes) } else { false }
    #expect(isWhole)
    server.site.sessions.first?.socket?.close(WebSocketClosing(4001, "revoked"))
    await eventually { session.closing == WebSocketClosing(4001, "revoked") }

    let second = TestClientSession()
    try await client.open("/socket", session: second).close(WebSocketClosing(4002, "tired"))
    await eventually { server.site.sessions.last?.closing == WebSocketClosing(4002, "tired") }
    await eventually { second.closing == WebSocketClosing(4002, "tired") }
    try await onThread { client.close() }
  }

  @Test("a WebSocket that is refused tells the status")
  func refused() async throws {
    let server = try TestServer()
    let client = try plain(server)
    let session = TestClientSession()
    #expect(
      await failure { () throws(HTTPClientError) in try await client.open("/none", session: session) }
        == .refused("127.0.0.1:\(server.port)", 404))
    #expect(session.closing == nil)
    try await onThread { client.close() }
  }

  @Test("a client that is closed says goodbye")
  func goodbye() async throws {
    let server = try TestServer()
    let client = try plain(server)
    let session = TestClientSession()
    _ = try await client.open("/socket", session: session)
    try await onThread { client.close() }
    await eventually { server.site.sessions.first?.closing == .normal }
    #expect(session.closing == .normal)
  }
}

/// Keeps what it receives.
final class TestClientSession: WebSocketSession {
  private let state = Guarded<(received: [WebSocketMessage], closing: WebSocketClosing?)>(([], nil))

  func opened(_ socket: WebSocket) {}
  func received(_ message: WebSocketMessage, from socket: WebSocket) { state.withLock { $0.received.append(message) } }
  func closed(_ socket: WebSocket, _ reason: WebSocketClosing) { state.withLock { $0.closing = reason } }

  var received: [WebSocketMessage] { state.withLock { $0.received } }
  var closing: WebSocketClosing? { state.withLock { $0.closing } }
}
