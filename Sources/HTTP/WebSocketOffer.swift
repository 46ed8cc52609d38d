import CamrigModel

/// What a client asks for that wants to open a WebSocket (RFC 6455, 4.2.1).
enum WebSocketOffer: Hashable {
  /// With the subprotocol that it will be told: the first that it offers and we know; nil: it offers none.
  case acceptable(String?)
  case malformed(HTTPStatus, RigErrorCode, String)

  /// libwebsockets reads lists of at most so many bytes.
  static let longestList = 126
  /// And names of at most so many.
  static let longestName = 63

  init(_ head: HTTPRequestHead, known: [String]) {
    let offered = head.offeredSubprotocols
    let chosen = offered.first { known.contains($0) }
    if head.headers["upgrade"]?.lowercased() != "websocket" {
      self = .malformed(400, .requestInvalid, "Nothing but websocket is an upgrade here.")
    } else if head.method != .get {
      self = .malformed(400, .requestInvalid, "A WebSocket is opened with GET.")
    } else if head.headers["sec-websocket-version"] != "13" {
      self = .malformed(426, .protocolUnsupported, "WebSockets have version 13 here.")
    } else if head.headers.all("sec-websocket-key").count != 1 {
      self = .malformed(400, .requestInvalid, "A WebSocket needs exactly one Sec-WebSocket-Key.")
    } else if (head.headers["connection"] ?? "").utf8.count > Self.longestList
      || (head.headers["sec-websocket-protocol"] ?? "").utf8.count > Self.longestList
    {
      self = .malformed(
        431, .requestTooLarge, "Connection and Sec-WebSocket-Protocol are at most \(Self.longestList) bytes long here.")
    } else if offered.contains(where: { $0.utf8.count > Self.longestName }) {
      self = .malformed(
        431, .requestTooLarge, "The name of a subprotocol is at most \(Self.longestName) bytes long here.")
    } else if offered.contains(ServiceProtocols.unnamed) || (chosen == nil && !offered.isEmpty) {
      self = .malformed(
        400, .protocolUnsupported,
        "None of the subprotocols offered is known here: \(known.joined(separator: ", ")).")
    } else {
      self = .acceptable(chosen)
    }
  }
}
