import CLinux
import CWebSockets
import CamrigModel
import Glibc

extension ServerLoop {
  // MARK: Requests

  func begin(_ connection: ServerConnection) -> Int32 {
    // Only now is the former answer surely with the client: what the kernel still had of it could wait as long.
    endDownload(connection)
    connection.request += 1
    connection.body = []
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
      return refuse(.problem(error.status, error.code, error.text), to: nil, connection)
    }
  }

  private func cutOff(_ connection: ServerConnection, _ sending: ResponseSending) -> Int32 {
    let what =
      sending.isFile
      ? "a file before that had come. A client waits for its end, or"
      : "a stream. Streams have no end: a client"
    log.notice(
      "\(connection.peer) was cut off: it sent more behind a request for \(what) takes another connection for what comes "
        + "next.")
    return -1
  }

  func readHead(_ connection: ServerConnection) throws(RequestReader.Fault) -> HTTPRequestHead {
    try RequestReader(
      connection.wsi, more: settings.moreHeaders, mostBytes: Int(settings.limits.headerBytes)
    ).head(peer: connection.peer, isSecure: lws_is_ssl(connection.wsi) != 0, connection: connection.id)
  }

  private func refusal(of head: HTTPRequestHead, bytes: Int) -> HTTPResponse? {
    guard bytes <= settings.limits.bodyBytes else {
      return .problem(
        413, .requestTooLarge, "A request's body is at most \(settings.limits.bodyBytes) bytes long here.")
    }
    return handler.refuseBody(of: head, bytes: bytes)
  }

  private func expect(_ length: Int, _ head: HTTPRequestHead, _ connection: ServerConnection) -> Int32 {
    connection.stage = .receiving(head, length: length)
    lws_set_timer_usecs(connection.wsi, Int64(settings.limits.bodySeconds) * 1_000_000)
    guard let expected = head.headers["expect"] else { return 0 }
    guard expected.lowercased() == "100-continue" else {
      return refuse(.problem(417, .requestInvalid, "Only 100-continue is understood."), to: head, connection)
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
    guard case .receiving(let head, let length) = connection.stage, connection.body.count == length else { return -1 }
    return dispatch(head, connection)
  }

  /// The time for a body is over, or it is time to look after a download or a WebSocket. One for a body that has come in
  /// the meantime goes off all the same: libwebsockets 4.1 takes stopping a timer for starting it.
  func timeIsOver(_ connection: ServerConnection) -> Int32 {
    switch connection.stage {
    case .receiving: -1
    case .sending(let sending): sending.isFile ? lookForSilence(connection) : 0
    case .open(let open): lookForSigns(connection, open)
    case .idle, .answering, .upgrading: 0
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
    if !connection.waitsForSource { resume(connection) }
  }

  /// Answered at once and closed, within libwebsockets' own call: it could take what follows the head, a body of a kind
  /// that it does not know, for the next request. What does not fit is cut off: a refusal is short.
  func refuse(
    _ response: HTTPResponse, to head: HTTPRequestHead?, _ connection: ServerConnection
  ) -> Int32 {
    var response = response
    switch response.body {
    case .none, .bytes: break
    case .file, .stream: response.body = .none
    }
    let sending = ResponseSending(response, to: head, closes: true)
    let buffer = UnsafeMutableRawBufferPointer(rebasing: scratch[Int(cws_pre)..<(Int(cws_pre) + Self.responsePiece)])
    guard case .bytes(let count, _) = sending.fill(buffer) else { return -1 }
    connection.stage = .idle
    let written = cws_write(connection.wsi, buffer.baseAddress, count, Int32(LWS_WRITE_HTTP.rawValue))
    // Who has not even taken the answers before is not waited for.
    guard written >= 0, lws_partial_buffered(connection.wsi) == 0 else {
      shutdown(connection.descriptor, Int32(SHUT_RDWR))
      return -1
    }
    lastWords.keep(connection.descriptor)
    return -1
  }

  private func send(_ response: HTTPResponse, to head: HTTPRequestHead?, _ connection: ServerConnection, closes: Bool) {
    let sending = ResponseSending(response, to: head, closes: closes)
    if sending.isLongFile, holdsMore(connection) {
      return send(.problem(400, .requestInvalid, Self.nothingBehindFiles), to: head, connection, closes: true)
    }
    connection.stage = .sending(sending)
    connection.waitsForSource = false
    limit(connection, sending)
    beginDownload(connection, sending)
    let (id, number, mailbox) = (connection.id, connection.request, mailbox)
    if case .stream(let stream) = response.body, sending.stream == nil { stream.ended() }
    sending.begin { mailbox.post { $0.wake(number, of: id) } }
    guard sending.waitsForVolume else { return }
    // With reading stopped as it is: from here on a file of one piece is written without a pause.
    waitForSource(connection, sending)
    watch(connection, 0)
  }

  static let nothingBehindFiles =
    "Nothing may follow a request for a file on its connection before the file has come. Ask for it again alone."

  /// libwebsockets has read bytes behind the request. Then it asks for room in the socket before it reads on. Reading is
  /// stopped afterwards, unless there are such bytes.
  private func holdsMore(_ connection: ServerConnection) -> Bool {
    let changes = pollChanges
    guard lws_rx_flow_control(connection.wsi, 1) == 0, pollChanges - changes <= 1 else { return true }
    return cws_stop_reading(connection.wsi) != 0
  }

  private func waitForSource(_ connection: ServerConnection, _ sending: ResponseSending) {
    connection.waitsForSource = true
    // A camera may be dark for as long as it likes; a file that does not come is a volume that hangs.
    if !isStopping { cws_limit(connection.wsi, sending.isFile ? settings.limits.fileSeconds : 0) }
  }

  /// So long its client may take nothing; at the end of the service it is not waited for.
  private func limit(_ connection: ServerConnection, _ sending: ResponseSending) {
    let limits = settings.limits
    let seconds = sending.isFile ? limits.pausedSeconds : limits.sendSeconds
    cws_limit(connection.wsi, isStopping ? settings.lastWordSeconds : seconds)
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
        waitForSource(connection, sending)
        return park(connection, sending, forRoom: false)
      case .bytes(let count, let isLast):
        if count > 0 {
          if !isStopping { limit(connection, sending) }
          connection.lastWritten = SystemClock().now
          guard cws_write(connection.wsi, piece.baseAddress, count, Int32(LWS_WRITE_HTTP.rawValue)) >= 0
          else { return -1 }
        }
        if isLast { return finish(sending, connection) }
      }
      if lws_send_pipe_choked(connection.wsi) != 0 { break }
    }
    return park(connection, sending, forRoom: true)
  }

  private func park(_ connection: ServerConnection, _ sending: ResponseSending, forRoom: Bool) -> Int32 {
    let changes = pollChanges
    guard cws_stop_reading(connection.wsi) == 0 else { return -1 }
    var events = forRoom ? EPOLLOUT.rawValue : 0
    // Of anything else a client may close its half and still wait for the rest.
    if sending.stream != nil { events |= EPOLLRDHUP.rawValue }
    // Where libwebsockets holds bytes that came behind the request, it does not only stop polling for more, but asks
    // whether the socket takes some, and ignores the answer as long as reading is stopped: it would ask without end, and
    // so may a stream go on, or a file whose disk gives nothing.
    if pollChanges - changes > 1, sending.stream != nil || !forRoom { return cutOff(connection, sending) }
    watch(connection, events)
    return 0
  }

  private func finish(_ sending: ResponseSending, _ connection: ServerConnection) -> Int32 {
    sending.stream?.ended()
    connection.stage = .idle
    guard sending.closes else { return lws_http_transaction_completed(connection.wsi) == 0 ? 0 : -1 }
    lastWords.keep(connection.descriptor)
    return -1
  }

  /// A few bytes at once.
  func write(_ bytes: [UInt8], _ connection: ServerConnection) -> Int32 {
    let buffer = UnsafeMutableRawBufferPointer(rebasing: scratch[Int(cws_pre)...])
    buffer.copyBytes(from: bytes)
    let kind = Int32(LWS_WRITE_HTTP_HEADERS.rawValue)
    return cws_write(connection.wsi, buffer.baseAddress, bytes.count, kind) < 0 ? -1 : 0
  }
}
