/// What a server serves.
package protocol HTTPHandler: Sendable {
  /// A request with a body comes: nil takes it in, a response refuses it unread. On the server's thread: must not block.
  func refuseBody(of head: HTTPRequestHead, bytes: Int) -> HTTPResponse?
  /// Cancelled when the client goes meanwhile. A HEAD is answered like the GET; its body is not sent.
  func respond(to request: HTTPRequest) async -> HTTPResponse
  /// Whether a WebSocket is opened. `subprotocol` is what the client will be told: the first that it offers and the
  /// server knows, nil where it offers none. On the server's thread: must not block.
  func webSocket(_ head: HTTPRequestHead, subprotocol: String?) -> WebSocketAnswer
}

extension HTTPHandler {
  package func refuseBody(of head: HTTPRequestHead, bytes: Int) -> HTTPResponse? { nil }
  package func webSocket(_ head: HTTPRequestHead, subprotocol: String?) -> WebSocketAnswer { .refused(.notFound) }
}

package enum WebSocketAnswer: Sendable {
  case accepted(any WebSocketSession)
  /// With a short body of bytes, or none: files and streams are not sent here.
  case refused(HTTPResponse)
}
