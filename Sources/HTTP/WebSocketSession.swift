/// What a WebSocket is used for. All of it is called on the service's thread, one after the other, and must not block.
package protocol WebSocketSession: Sendable {
  func opened(_ socket: WebSocket)
  /// Joined from its fragments.
  func received(_ message: WebSocketMessage, from socket: WebSocket)
  /// After `socket.offer()`, when the socket takes more and no sent message waits: the newest there is, or nil.
  func next(for socket: WebSocket) -> WebSocketMessage.Outgoing?
  /// The last call.
  func closed(_ socket: WebSocket, _ reason: WebSocketClosing)
}

extension WebSocketSession {
  package func next(for socket: WebSocket) -> WebSocketMessage.Outgoing? { nil }
}

package enum WebSocketMessage: Hashable, Sendable {
  case text(String)
  case binary([UInt8])

  /// One message, its parts sent one after the other.
  package struct Outgoing: Sendable {
    let isText: Bool
    let parts: [any HTTPPayload]
    let byteCount: Int

    package init(binary parts: [any HTTPPayload]) {
      isText = false
      self.parts = parts
      byteCount = parts.reduce(0) { $0 + $1.byteCount }
    }

    package init(text: String) {
      isText = true
      let bytes = Array(text.utf8)
      parts = [bytes]
      byteCount = bytes.count
    }
  }
}

/// How a WebSocket ended.
package struct WebSocketClosing: Hashable, Sendable, CustomStringConvertible {
  /// RFC 6455, 7.4; 1006: without a word, 1005: without a code.
  package let code: UInt16
  package let text: String

  package init(_ code: UInt16, _ text: String) {
    self.code = code
    self.text = text
  }

  package static let normal = WebSocketClosing(1000, "")
  package static let lost = WebSocketClosing(1006, "the connection was lost")
  package static let goingAway = WebSocketClosing(1001, "the rig stops")
  static let tooLarge = WebSocketClosing(1009, "the message is too large")
  static let unread = WebSocketClosing(1008, "what was asked for is not read; connect again and read on")

  package var description: String { text.isEmpty ? "\(code)" : "\(code): \(text)" }
}
