/// Status line and headers as they go out.
struct HTTPResponseHead {
  let bytes: [UInt8]

  /// - Parameter length: of the body that follows, or that a GET would have; nil: it ends with the connection.
  init(_ status: HTTPStatus, _ headers: HTTPHeaders, length: Int64?, closes: Bool) {
    var text = "HTTP/1.1 \(status)\r\n"
    for field in headers.fields where !Self.own.contains(field.name) { text += "\(field.name): \(field.value)\r\n" }
    for (name, value) in SecurityHeaders.fields where headers.all(name).isEmpty { text += "\(name): \(value)\r\n" }
    if headers.all("cache-control").isEmpty { text += "cache-control: no-cache\r\n" }
    if let length, status.allowsBody { text += "content-length: \(length)\r\n" }
    if closes { text += "connection: close\r\n" }
    bytes = Array((text + "\r\n").utf8)
  }

  /// The server's to say.
  private static let own: Set<String> = ["content-length", "connection", "transfer-encoding", "keep-alive"]
}
