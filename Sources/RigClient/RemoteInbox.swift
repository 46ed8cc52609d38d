import CamrigModel
import Dispatch
import HTTP

/// What a rig says over a WebSocket, for the one thread that waits for it. Of the notifications that are not fetched
/// the newest are kept; how many were not is told in their place, as on the control socket.
final class RemoteInbox: WebSocketSession {
  enum Item: Hashable, Sendable {
    case answer(RPCResponse)
    case notification(RPCNotification)
    case garbled(String)
    case closed(WebSocketClosing)
  }

  private struct State {
    var answers: [Item] = []
    var notifications: [RPCNotification] = []
    var lost: UInt64 = 0
    var end: WebSocketClosing?
  }

  static let mostNotifications = 1024
  /// The rig answers what it is asked, one request at a time.
  private static let mostAnswers = 64
  private let state = Guarded(State())
  private let news = DispatchSemaphore(value: 0)

  func opened(_ socket: WebSocket) {}

  func received(_ message: WebSocketMessage, from socket: WebSocket) {
    receive(message)
    news.signal()
  }

  func closed(_ socket: WebSocket, _ reason: WebSocketClosing) {
    state.withLock { $0.end = reason }
    news.signal()
  }

  func receive(_ message: WebSocketMessage) {
    guard case .text(let text) = message, let json = try? JSONValue(json: text.utf8) else {
      return keep(.garbled("a message that is no JSON text"))
    }
    if let notification = RPCNotification(json: json) {
      state.withLock { state in
        if state.notifications.count == Self.mostNotifications {
          state.notifications.removeFirst()
          state.lost += 1
        }
        state.notifications.append(notification)
      }
    } else if let answer = RPCResponse(json: json) {
      keep(.answer(answer))
    } else {
      keep(.garbled("neither an answer nor a notification"))
    }
  }

  private func keep(_ item: Item) {
    state.withLock { if $0.answers.count < Self.mostAnswers { $0.answers.append(item) } }
  }

  /// Blocks until an answer is there or the end is near; nil when the time is up.
  func nextAnswer(until deadline: DispatchTime) -> Item? {
    next(until: deadline) { $0.answers.isEmpty ? nil : $0.answers.removeFirst() }
  }

  /// Blocks until a notification is there.
  func nextNotification() -> Item? {
    next(until: .distantFuture) { state in
      if state.lost > 0 {
        defer { state.lost = 0 }
        return .notification(
          RPCNotification(
            method: RigEventName.eventsLost.rawValue, params: ["lost": .integer(Int64(clamping: state.lost))]))
      }
      return state.notifications.isEmpty ? nil : .notification(state.notifications.removeFirst())
    }
  }

  private func next(until deadline: DispatchTime, _ take: (inout State) -> Item?) -> Item? {
    while true {
      let item = state.withLock { state in take(&state) ?? state.end.map { .closed($0) } }
      if let item { return item }
      if news.wait(timeout: deadline) == .timedOut { return nil }
    }
  }
}
