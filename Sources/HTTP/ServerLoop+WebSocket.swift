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
    connection.stage = .open(ServerSocket(socket, session))
    if isStopping { socket.close(.goingAway) }
    session.opened(socket)
    return 0
  }

  // MARK: Receiving

  func receive(_ bytes: UnsafeMutableRawBufferPointer, _ connection: ServerConnection) -> Int32 {
    guard case .open(let open) = connection.stage else { return -1 }
    let promised = open.incoming.count + bytes.count + Int(lws_remaining_packet_payload(connection.wsi))
    guard promised <= settings.limits.messageBytes else { return close(open, connection, .tooLarge) }
    open.incoming.append(contentsOf: bytes)
    guard lws_is_final_fragment(connection.wsi) != 0 else { return 0 }
    let content = open.incoming
    open.incoming = []
    let isBinary = lws_frame_is_binary(connection.wsi) != 0
    // libwebsockets has seen to it that text is UTF-8.
    let message: WebSocketMessage = isBinary ? .binary(content) : .text(String(decoding: content, as: UTF8.self))
    open.session.received(message, from: open.socket)
    return 0
  }

  func peerCloses(_ connection: ServerConnection, _ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
    guard case .open(let open) = connection.stage, open.closing == nil else { return 0 }
    guard bytes.count >= 2 else {
      open.closing = WebSocketClosing(1005, "")
      return 0
    }
    let code = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    open.closing = WebSocketClosing(code, String(decoding: bytes[2...], as: UTF8.self))
    return 0
  }

  // MARK: Sending

  private func announced(_ id: UInt) {
    guard let connection = connections[id], case .open(let open) = connection.stage else { return }
    open.socket.noticed()
    // One that takes nothing never gets to read why.
    if open.socket.closing != nil { cws_limit(connection.wsi, settings.lastWordSeconds) }
    lws_callback_on_writable(connection.wsi)
  }

  /// The socket takes more.
  func pumpSocket(_ connection: ServerConnection) -> Int32 {
    guard case .open(let open) = connection.stage else { return 0 }
    // A few messages, so that the others have their turn.
    for _ in 0..<8 {
      if lws_partial_buffered(connection.wsi) != 0 { return 0 }
      if open.outgoing == nil {
        switch open.socket.step() {
        case .nothing: return 0
        case .close(let reason): return close(open, connection, reason)
        case .send(let message): open.outgoing = (message, 0)
        case .ask: open.outgoing = open.session.next(for: open.socket).map { ($0, 0) }
        }
      }
      guard writeNext(open, connection) else { return -1 }
      if lws_send_pipe_choked(connection.wsi) != 0 { break }
    }
    lws_callback_on_writable(connection.wsi)
    return 0
  }

  private func writeNext(_ open: ServerSocket, _ connection: ServerConnection) -> Bool {
    guard let (message, sent) = open.outgoing else { return true }
    let buffer = UnsafeMutableRawBufferPointer(rebasing: scratch[Int(cws_pre)...])
    let count = message.copy(from: sent, to: buffer)
    let isLast = sent + count == message.byteCount
    var kind =
      sent > 0 ? LWS_WRITE_CONTINUATION.rawValue : (message.isText ? LWS_WRITE_TEXT : LWS_WRITE_BINARY).rawValue
    if !isLast { kind |= LWS_WRITE_NO_FIN.rawValue }
    open.outgoing = isLast ? nil : (message, sent + count)
    return cws_write(connection.wsi, buffer.baseAddress, count, Int32(kind)) >= 0
  }

  private func close(_ open: ServerSocket, _ connection: ServerConnection, _ reason: WebSocketClosing) -> Int32 {
    if open.closing == nil { open.closing = reason }
    // A control frame holds 125 bytes, two of them the code.
    let text = Array(reason.text.utf8.prefix(123))
    cws_close_reason(connection.wsi, Int32(reason.code), text, text.count)
    return -1
  }

  func closed(_ connection: ServerConnection) {
    guard case .open(let open) = connection.stage else { return }
    connection.stage = .idle
    open.socket.over()
    open.session.closed(open.socket, open.closing ?? open.socket.closing ?? .lost)
  }
}

extension WebSocketMessage.Outgoing {
  /// Copies what comes after `start` bytes to the beginning of `buffer`; how much.
  func copy(from start: Int, to buffer: UnsafeMutableRawBufferPointer) -> Int {
    var skipped = 0
    var count = 0
    for part in parts where count < buffer.count {
      part.withBytes { bytes in
        let first = max(0, start - skipped)
        if first < bytes.count {
          let taken = min(bytes.count - first, buffer.count - count)
          UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[first..<(first + taken)]))
          count += taken
        }
        skipped += bytes.count
      }
    }
    return count
  }
}
