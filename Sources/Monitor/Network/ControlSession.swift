import CamrigModel
import DaemonKit
import HTTP

/// A monitor's WebSocket for wishes: JSON-RPC, one text a message. Its requests are carried out one after the other,
/// as on the control socket.
final class ControlSession: WebSocketSession {
  /// More than a person can ask before the answers come, and than a slider sends while the network holds its breath.
  private static let waitingRequests = 256
  private static let waitingBytes = 1 << 20
  /// Answers that may come later at once; with more the next request waits.
  private static let laterAnswers = 256

  private struct State {
    var pumps: [String: Task<Void, Never>] = [:]
    var worker: Task<Void, Never>?
    var laterAnswers = 0
    var waitingBytes = 0
    var isClosed = false
  }

  private let session: any MonitorSession
  private let lastNotes: LastNotes
  /// Its pairing was not revoked: what waits of it is not carried out then.
  private let isWelcome: @Sendable () -> Bool
  private let state = Guarded(State())
  private let texts: AsyncStream<String>
  private let post: AsyncStream<String>.Continuation

  init(
    _ session: any MonitorSession, lastNotes: LastNotes, isWelcome: @escaping @Sendable () -> Bool = { true }
  ) {
    self.session = session
    self.lastNotes = lastNotes
    self.isWelcome = isWelcome
    (texts, post) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(Self.waitingRequests))
  }

  func opened(_ socket: WebSocket) {
    let work = Task { [texts, isWelcome] in
      for await text in texts {
        self.state.withLock { $0.waitingBytes -= text.utf8.count }
        if isWelcome() { await self.serve(text, socket) }
      }
    }
    state.withLock { $0.worker = work }
  }

  func received(_ message: WebSocketMessage, from socket: WebSocket) {
    switch message {
    case .text(let text):
      let waitingBytes = state.withLock { state in
        state.waitingBytes += text.utf8.count
        return state.waitingBytes
      }
      guard waitingBytes <= Self.waitingBytes, case .enqueued = post.yield(text) else {
        return socket.close(WebSocketClosing(1008, "too many requests wait already; wait for the answers"))
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
      case .later(let work): await answerLater(request, socket, work)
      }
    } catch {
      socket.send(error.json.text)
    }
  }

  private func answerLater(
    _ request: RPCRequest, _ socket: WebSocket, _ work: @escaping @Sendable () async -> RPCResponse.Outcome
  ) async {
    let mayWait = state.withLock { state in
      guard state.laterAnswers < Self.laterAnswers else { return false }
      state.laterAnswers += 1
      return true
    }
    guard mayWait else { return answer(request, await work(), socket) }
    Task {
      answer(request, await work(), socket)
      state.withLock { $0.laterAnswers -= 1 }
    }
  }

  private func answer(_ request: RPCRequest, _ outcome: RPCResponse.Outcome, _ socket: WebSocket) {
    if let id = request.id { socket.send(RPCResponse(id: id, outcome).json.text) }
  }

  /// A second subscription to the same takes the place of the first.
  private func follow(_ notes: AsyncStream<RPCNotification>, of method: String, _ socket: WebSocket) {
    let endsWithTheRig = [RigMethod.stateWatch, .rigWatch].contains { $0.rawValue == method }
    if endsWithTheRig { lastNotes.begin() }
    let pump = Task { [lastNotes] in
      for await note in notes { socket.send(note.json.text) }
      if endsWithTheRig { lastNotes.end() }
    }
    let former = state.withLock { state in
      if state.isClosed { return pump as Task<Void, Never>? }
      defer { state.pumps[method] = pump }
      return state.pumps[method]
    }
    former?.cancel()
  }
}
