import CWebSockets

extension ServerLoop {
  // MARK: Opening

  /// -1 where it is refused: the answer is written, and libwebsockets closes behind it.
  func decideUpgrade(_ connection: ServerConnection) -> Int32 {
    // Only `websocket` is left: for anything else libwebsockets has answered already, and forgotten the request.
    guard lws_hdr_total_length(connection.wsi, WSI_TOKEN_HOST) > 0 else { return -1 }
    do throws(RequestReader.Fault) {
      let head = try readHead(connection)
      if let redirect = HTTPRedirect.toTLS(head, wantsTLS: connection.wantsTLS) {
        return refuseUpgrade(redirect, head, connection)
      }
      let subprotocol: String?
      switch WebSocketOffer(head, known: settings.subprotocols) {
      case .malformed(let status, let text):
        return refuseUpgrade(
          .text(status, text, headers: status == 426 ? ["sec-websocket-version": "13", "upgrade": "websocket"] : [:]),
          head, connection)
      case .acceptable(let name): subprotocol = name
      }
      switch handler.webSocket(head, subprotocol: subprotocol) {
      case .refused(let response): return refuseUpgrade(response, head, connection)
      case .accepted(let session):
        connection.stage = .upgrading(head, subprotocol, session)
        return 0
      }
    } catch {
      return refuseUpgrade(.text(error.status, error.text), nil, connection)
    }
  }

  private func refuseUpgrade(
    _ response: HTTPResponse, _ head: HTTPRequestHead?, _ connection: ServerConnection
  ) -> Int32 {
    var response = response
    switch response.body {
    case .none, .bytes: break
    case .file, .stream: response.body = .none
    }
    let sending = ResponseSending(response, to: head, closes: true)
    let buffer = UnsafeMutableRawBufferPointer(rebasing: scratch[Int(cws_pre)..<(Int(cws_pre) + Self.responsePiece)])
    // What does not fit is cut off: a refusal is short.
    guard case .bytes(let count, _) = sending.fill(buffer) else { return -1 }
    _ = cws_write(connection.wsi, buffer.baseAddress, count, Int32(LWS_WRITE_HTTP.rawValue))
    return -1
  }

  func established(_ connection: ServerConnection) -> Int32 {
    guard case .upgrading(let head, let subprotocol, let session) = connection.stage else { return -1 }
    let (id, mailbox, limits) = (connection.id, mailbox, settings.limits)
    let socket = WebSocket(
      head: head, subprotocol: subprotocol, mostMessages: limits.queuedMessages, mostBytes: limits.queuedBytes
    ) {
      mailbox.post { $0.announced(id) }
    }
    let open = OpenSocket(
      socket, session, wsi: connection.wsi, mostIncoming: limits.messageBytes,
      lastWordSeconds: settings.lastWordSeconds)
    connection.stage = .open(open)
    if isStopping { socket.close(.goingAway) }
    open.opened()
    return 0
  }

  private func announced(_ id: UInt) {
    guard let connection = connections[id], case .open(let open) = connection.stage else { return }
    open.announced()
  }
}
