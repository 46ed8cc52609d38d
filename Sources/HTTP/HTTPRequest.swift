/// A request without its body: all that is known when it is decided whether the body is wanted.
package struct HTTPRequestHead: Sendable {
  package let method: HTTPMethod
  /// Decoded, beginning with `/`, without `..`, `//` or a query.
  package let path: String
  /// Decoded names and values in their order; a name without `=` has an empty value.
  package let query: [(name: String, value: String)]
  package let headers: HTTPHeaders
  package let peer: HTTPPeer
  /// Over TLS.
  package let isSecure: Bool
  /// Which connection since the server's start; requests of one come one after the other.
  package let connection: UInt

  package init(
    method: HTTPMethod, path: String, query: [(name: String, value: String)] = [], headers: HTTPHeaders = [:],
    peer: HTTPPeer, isSecure: Bool, connection: UInt
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.peer = peer
    self.isSecure = isSecure
    self.connection = connection
  }

  /// The first value of that name in the query.
  package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The subprotocols that a WebSocket's client offers, in its order of preference.
  package var offeredSubprotocols: [String] { headers.list("sec-websocket-protocol") }
}

package struct HTTPRequest: Sendable {
  package let head: HTTPRequestHead
  package let body: [UInt8]

  package init(head: HTTPRequestHead, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }
}
