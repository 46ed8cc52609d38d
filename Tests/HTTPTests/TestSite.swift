import CamrigModel
import DaemonKit
import HTTP
import TestSupport

/// What the tests serve.
final class TestSite: HTTPHandler {
  struct Content {
    var file: String?
    /// Reads the file; nil: as it is read.
    var read: HTTPFile.Read?
    var streams: [String: TestStream] = [:]
    var sessions: [TestSession] = []
    var requests: [HTTPRequestHead] = []
    /// Cancelled while they waited for `release`.
    var abandoned = 0
    var isReleased = false
    /// What a new session does of itself.
    var greeting: (@Sendable (WebSocket) -> Void)?
  }

  let content = Guarded(Content())
  let volume = Volume("/volume")

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let head = request.head
    content.withLock { $0.requests.append(head) }
    switch (head.method, head.path) {
    case (.post, "/echo"): return HTTPResponse(200, type: "application/octet-stream", request.body)
    case (_, "/echo"): return .methodNotAllowed([.post])
    case (.get, "/hello"), (.head, "/hello"): return .text(200, "hello \(head.query("name") ?? "")")
    case (.get, "/peer"): return .text(200, "\(head.peer) \(head.isSecure) \(head.peer.isLocal)")
    case (.get, "/big"): return HTTPResponse(200, type: "text/plain", [UInt8](repeating: 0x61, count: 3 << 20))
    case (_, "/file"): return file()
    case (.get, "/slow"): return await slow()
    case (.get, let path) where path.hasPrefix("/stream"):
      let stream = content.withLock { $0.streams[path] }
      return stream.map { .stream(type: "multipart/x-mixed-replace; boundary=b", $0) } ?? .notFound
    case (.get, "/inject"): return .text(200, "", headers: ["x-name": "a\r\nx-evil: 1"])
    default: return .notFound
    }
  }

  func refuseBody(of head: HTTPRequestHead, bytes: Int) -> HTTPResponse? {
    head.path == "/closed" ? .text(403, "nothing is taken here") : nil
  }

  func webSocket(_ head: HTTPRequestHead, subprotocol: String?) -> WebSocketAnswer {
    guard head.path == "/socket" else { return .refused(.notFound) }
    if let origin = head.headers["origin"], origin != "https://rig.test" {
      return .refused(.text(403, "\(origin) may not use this rig."))
    }
    let session = TestSession(greeting: content.withLock { $0.greeting })
    content.withLock { $0.sessions.append(session) }
    return .accepted(session)
  }

  private func file() -> HTTPResponse {
    let (path, read) = content.withLock { ($0.file, $0.read) }
    guard let path else { return .notFound }
    do throws(HTTPFileError) {
      if let read { return .file(try HTTPFile(path: path, type: "video/mp4", on: volume, read: read)) }
      return .file(try HTTPFile(path: path, type: "video/mp4", downloadName: "take \"1\" ü.mp4", on: volume))
    } catch {
      return .text(error.isMissing ? 404 : 500, "\(error)")
    }
  }

  private func slow() async -> HTTPResponse {
    while !content.withLock({ $0.isReleased }) {
      do {
        try await Task.sleep(for: .milliseconds(2))
      } catch {
        content.withLock { $0.abandoned += 1 }
        break
      }
    }
    return .text(200, "at last")
  }

  var sessions: [TestSession] { content.withLock { $0.sessions } }
}

/// A stream whose newest piece a test sets.
final class TestStream: HTTPBodyStream {
  struct State {
    var newest: [UInt8]?
    var isOver = false
    var asked = 0
    var taken = 0
    var ends = 0
    var wake: (@Sendable () -> Void)?
  }

  let state = Guarded(State())

  func put(_ bytes: [UInt8]) {
    let wake = state.withLock { state in
      state.newest = bytes
      return state.wake
    }
    wake?()
  }

  func finish() {
    let wake = state.withLock { state in
      state.isOver = true
      return state.wake
    }
    wake?()
  }

  func begin(wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  func next() -> HTTPStreamPiece {
    state.withLock { state in
      state.asked += 1
      if let newest = state.newest {
        state.newest = nil
        state.taken += 1
        return .bytes([newest])
      }
      return state.isOver ? .end : .later
    }
  }

  func ended() { state.withLock { $0.ends += 1 } }

  var taken: Int { state.withLock { $0.taken } }
  var ends: Int { state.withLock { $0.ends } }
  var hasBegun: Bool { state.withLock { $0.wake != nil } }
}

/// Gives back what it receives.
final class TestSession: WebSocketSession {
  struct State {
    var socket: WebSocket?
    var received: [WebSocketMessage] = []
    var newest: [UInt8]?
    var taken = 0
    var closing: WebSocketClosing?
  }

  let state = Guarded(State())
  private let greeting: (@Sendable (WebSocket) -> Void)?

  init(greeting: (@Sendable (WebSocket) -> Void)?) { self.greeting = greeting }

  func opened(_ socket: WebSocket) {
    state.withLock { $0.socket = socket }
    greeting?(socket)
  }

  func received(_ message: WebSocketMessage, from socket: WebSocket) {
    state.withLock { $0.received.append(message) }
    switch message {
    case .text(let text): socket.send(text)
    case .binary(let bytes): socket.send(.init(binary: [bytes]))
    }
  }

  func next(for socket: WebSocket) -> WebSocketMessage.Outgoing? {
    state.withLock { state in
      guard let newest = state.newest else { return nil }
      state.newest = nil
      state.taken += 1
      return .init(binary: [[0x63, 0x61, 0x6D], newest])
    }
  }

  func closed(_ socket: WebSocket, _ reason: WebSocketClosing) { state.withLock { $0.closing = reason } }

  func put(_ bytes: [UInt8]) {
    let socket = state.withLock { state in
      state.newest = bytes
      return state.socket
    }
    socket?.offer()
  }

  var closing: WebSocketClosing? { state.withLock { $0.closing } }
  var socket: WebSocket? { state.withLock { $0.socket } }
  var received: [WebSocketMessage] { state.withLock { $0.received } }
}
