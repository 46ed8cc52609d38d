import CLinux
import CWebSockets

extension ServerLoop {
  // MARK: Requests

  func begin(_ connection: ServerConnection) -> Int32 {
    connection.request += 1
    connection.body = []
    connection.isBodyUnread = false
    connection.hasBodyEnded = false
    do throws(RequestReader.Fault) {
      let head = try readHead(connection)
      if let redirect = HTTPRedirect.toTLS(head, wantsTLS: connection.wantsTLS) {
        return refuse(redirect, to: head, connection)
      }
      let length = try RequestReader.bodyLength(head)
      // For a POST libwebsockets tells the end of the body even where there is none.
      guard length > 0 || head.method == .post else { return dispatch(head, connection) }
      if let refusal = refusal(of: head, bytes: length) {
        return refuse(refusal, to: head, connection)
      }
      return expect(length, head, connection)
    } catch {
      return refuse(.text(error.status, error.text), to: nil, connection)
    }
  }

  func readHead(_ connection: ServerConnection) throws(RequestReader.Fault) -> HTTPRequestHead {
    try RequestReader(
      connection.wsi, more: settings.moreHeaders, mostBytes: Int(settings.limits.headerBytes)
    ).head(peer: connection.peer, isSecure: lws_is_ssl(connection.wsi) != 0, connection: connection.id)
  }

  private func refusal(of head: HTTPRequestHead, bytes: Int) -> HTTPResponse? {
    guard bytes <= settings.limits.bodyBytes else {
      return .text(413, "A request's body is at most \(settings.limits.bodyBytes) bytes long here.")
    }
    return handler.refuseBody(of: head, bytes: bytes)
  }

  private func expect(_ length: Int, _ head: HTTPRequestHead, _ connection: ServerConnection) -> Int32 {
    connection.stage = .receiving(head, length: length)
    connection.isBodyUnread = true
    lws_set_timer_usecs(connection.wsi, Int64(settings.limits.bodySeconds) * 1_000_000)
    guard let expected = head.headers["expect"] else { return 0 }
    guard expected.lowercased() == "100-continue" else {
      return refuse(.text(417, "Only 100-continue is understood."), to: head, connection)
    }
    return write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), connection)
  }

  func take(_ bytes: UnsafeMutableRawBufferPointer, _ connection: ServerConnection) -> Int32 {
    guard case .receiving(_, let length) = connection.stage else { return 0 }
    guard connection.body.count + bytes.count <= length else { return -1 }
    connection.body.append(contentsOf: bytes)
    return 0
  }

  func completeBody(_ connection: ServerConnection) -> Int32 {
    // When a client sends more before it has its answer, libwebsockets says it again, for ever: then the client goes.
    guard !connection.hasBodyEnded else { return -1 }
    connection.hasBodyEnded = true
    connection.isBodyUnread = false
    switch connection.stage {
    case .receiving(let head, let length):
      return connection.body.count == length ? dispatch(head, connection) : -1
    // Refused; the response goes out first.
    case .sending: return 0
    case .idle, .answering, .lingering, .upgrading, .open: return -1
    }
  }

  /// The time for a body, or for lingering, is over. One for a body that has come in the meantime goes off all the
  /// same: libwebsockets 4.1 takes stopping a timer for starting it.
  func timeIsOver(_ connection: ServerConnection) -> Int32 {
    switch connection.stage {
    case .receiving, .lingering: -1
    case .idle, .answering, .sending, .upgrading, .open: 0
    }
  }

  private func dispatch(_ head: HTTPRequestHead, _ connection: ServerConnection) -> Int32 {
    let request = HTTPRequest(head: head, body: connection.body)
    connection.body = []
    let (id, number, handler, mailbox) = (connection.id, connection.request, handler, mailbox)
    let task = Task {
      let response = await handler.respond(to: request)
      mailbox.post { $0.answer(response, to: number, of: id) }
    }
    connection.stage = .answering(head, task)
    cws_limit(connection.wsi, settings.limits.answerSeconds)
    return lws_rx_flow_control(connection.wsi, 0) == 0 ? 0 : -1
  }

  // MARK: Responses

  private func answer(_ response: HTTPResponse, to number: UInt, of id: UInt) {
    guard let connection = connections[id], connection.request == number,
      case .answering(let head, _) = connection.stage
    else {
      if case .stream(let stream) = response.body { stream.ended() }
      return
    }
    send(response, to: head, connection, closes: isStopping)
    resume(connection)
  }

  /// Answered at once, and the connection is closed.
  func refuse(
    _ response: HTTPResponse, to head: HTTPRequestHead?, _ connection: ServerConnection
  ) -> Int32 {
    send(response, to: head, connection, closes: true)
    connection.isBodyUnread =
      lws_hdr_total_length(connection.wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0
      || lws_hdr_total_length(connection.wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0
    lws_callback_on_writable(connection.wsi)
    return 0
  }

  private func send(_ response: HTTPResponse, to head: HTTPRequestHead?, _ connection: ServerConnection, closes: Bool) {
    let sending = ResponseSending(response, to: head, closes: closes)
    connection.stage = .sending(sending)
    connection.waitsForSource = false
    limit(connection)
    let (id, number, mailbox) = (connection.id, connection.request, mailbox)
    if case .stream(let stream) = response.body, sending.stream == nil { stream.ended() }
    sending.begin(files) { mailbox.post { $0.wake(number, of: id) } }
  }

  /// So long its client may take nothing; at the end of the service it is not waited for.
  private func limit(_ connection: ServerConnection) {
    cws_limit(connection.wsi, isStopping ? settings.lastWordSeconds : settings.limits.sendSeconds)
  }

  private func wake(_ number: UInt, of id: UInt) {
    guard let connection = connections[id], connection.request == number, connection.waitsForSource else { return }
    resume(connection)
  }

  /// Goes on as soon as the socket takes more.
  func resume(_ connection: ServerConnection) {
    guard case .sending = connection.stage else { return }
    connection.waitsForSource = false
    if lws_rx_flow_control(connection.wsi, 1) != 0 { return cws_kill(connection.wsi) }
    lws_callback_on_writable(connection.wsi)
  }

  /// The socket takes more.
  func pump(_ connection: ServerConnection) -> Int32 {
    guard case .sending(let sending) = connection.stage else { return 0 }
    let piece = UnsafeMutableRawBufferPointer(
      rebasing: scratch[Int(cws_pre)..<(Int(cws_pre) + Self.responsePiece)])
    // A few pieces, so that the others have their turn.
    for _ in 0..<4 {
      switch sending.fill(piece) {
      case .failed: return -1
      case .later:
        connection.waitsForSource = true
        if !isStopping { cws_limit(connection.wsi, 0) }
        return park(connection, forRoom: false)
      case .bytes(let count, let isLast):
        if count > 0 {
          if !isStopping { limit(connection) }
          guard cws_write(connection.wsi, piece.baseAddress, count, Int32(LWS_WRITE_HTTP.rawValue)) >= 0
          else { return -1 }
        }
        if isLast { return finish(sending, connection) }
      }
      if lws_send_pipe_choked(connection.wsi) != 0 { break }
    }
    return park(connection, forRoom: true)
  }

  private func park(_ connection: ServerConnection, forRoom: Bool) -> Int32 {
    guard lws_rx_flow_control(connection.wsi, 0) == 0 else { return -1 }
    var events = forRoom ? EPOLLOUT.rawValue : 0
    // Of anything else a client may close its half and still wait for the rest.
    if case .sending(let sending) = connection.stage, sending.stream != nil { events |= EPOLLRDHUP.rawValue }
    watch(connection, events)
    return 0
  }

  private func finish(_ sending: ResponseSending, _ connection: ServerConnection) -> Int32 {
    sending.stream?.ended()
    guard sending.closes else {
      connection.stage = .idle
      return lws_http_transaction_completed(connection.wsi) == 0 ? 0 : -1
    }
    guard connection.isBodyUnread else {
      connection.stage = .idle
      return -1
    }
    connection.stage = .lingering
    lws_set_timer_usecs(connection.wsi, Int64(settings.lastWordSeconds) * 1_000_000)
    return 0
  }

  /// A few bytes at once.
  func write(_ bytes: [UInt8], _ connection: ServerConnection) -> Int32 {
    let buffer = UnsafeMutableRawBufferPointer(rebasing: scratch[Int(cws_pre)...])
    buffer.copyBytes(from: bytes)
    let kind = Int32(LWS_WRITE_HTTP_HEADERS.rawValue)
    return cws_write(connection.wsi, buffer.baseAddress, bytes.count, kind) < 0 ? -1 : 0
  }
}
