import CamrigModel
import DaemonKit
import HTTP

/// A monitor's WebSocket for wishes: JSON-RPC, one text a message. Its requests are carried out one after the other,
/// as on the control socket.
final class ControlSession: WebSocketSession {
  /// More than a person can ask before the answers come.
  private static let waitingRequests = 16

  private struct State {
    var pumps: [String: Task<Void, Never>] = [:]
    var worker: Task<Void, Never>?
    var isClosed = false
  }

  private let session: any MonitorSession
  /// Its pairing was not revoked: what waits of it is not carried out then.
  private let isWelcome: @Sendable () -> Bool
  private let state = Guarded(State())
  private let texts: AsyncStream<String>
  private let post: AsyncStream<String>.Continuation

  init(_ session: any MonitorSession, isWelcome: @escaping @Sendable () -> Bool = { true }) {
    self.session = session
    self.isWelcome = isWelcome
    (texts, post) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(Self.waitingRequests))
  }

  func opened(_ socket: WebSocket) {
    let work = Task { [texts, isWelcome] in
      for await text in texts where isWelcome() { await self.serve(text, socket) }
    }
    state.withLock { $0.worker = work }
  }

  func received(_ message: WebSocketMessage, from socket: WebSocket) {
    switch message {
    case .text(let text):
      if case .dropped = post.yield(text) {
        socket.close(WebSocketClosing(1008, "\(Self.waitingRequests) requests wait already; wait for the answers"))
      }
    case .binary: socket.close(WebSocketClosing(1003, "requests are JSON texts"))
    }
  }

  func closed(_ socket: WebSocket, _ reason: WebSocketClosing) {
    post.finish()
    let pumps = state.withLock { state in
      state.isClosed = true
      defer { state.pumps = [:] }
      return Array(state.pumps.values)
    }
    for pump in pumps { pump.cancel() }
    session.end()
  }

  private func serve(_ text: String, _ socket: WebSocket) async {
    do throws(RPCResponse) {
      let request = try RPCRequest.read(text.utf8)
      // Whoever subscribes again begins anew.
      state.withLock { $0.pumps.removeValue(forKey: request.method) }?.cancel()
      switch await session.handle(request) {
      case .result(let value): answer(request, .result(value), socket)
      case .failure(let error): answer(request, .failure(error), socket)
      case .subscription(let value, let notes):
        answer(request, .result(value), socket)
        follow(notes, of: request.method, socket)
      case .later(let work):
        Task { self.answer(request, await work(), socket) }
      }
    } catch {
      socket.send(error.json.text)
    }
  }

  private func answer(_ request: RPCRequest, _ outcome: RPCResponse.Outcome, _ socket: WebSocket) {
    if let id = request.id { socket.send(RPCResponse(id: id, outcome).json.text) }
  }

  /// A second subscription to the same takes the place of the first.
  private func follow(_ notes: AsyncStream<RPCNotification>, of method: String, _ socket: WebSocket) {
    let pump = Task {
      for await note in notes { socket.send(note.json.text) }
    }
    let former = state.withLock { state in
      if state.isClosed { return pump as Task<Void, Never>? }
      defer { state.pumps[method] = pump }
      return state.pumps[method]
    }
    former?.cancel()
  }
}
