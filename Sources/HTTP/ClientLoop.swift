import CCertificates
import CLinux
import CWebSockets
import Glibc

/// What the client's thread does.
final class ClientLoop: ServiceOwner {
  let settings: HTTPClient.Settings
  private let mailbox: ServiceMailbox<ClientLoop?>
  private let protocols: ServiceProtocols
  private let scratch = UnsafeMutableRawBufferPointer.allocate(
    byteCount: Int(cws_pre) + ServerLoop.mostWritten, alignment: 16)
  private let pings: UnsafeMutablePointer<lws_retry_bo_t>
  private let pin: UnsafeMutablePointer<ccert_pin>
  private var context: OpaquePointer?
  private var vhost: OpaquePointer?
  private(set) var exchanges: [UInt: ClientExchange] = [:]
  private var next: UInt = 16
  private var isStopping = false
  private static let mailboxID: UInt = 1
  /// libwebsockets cuts off what is longer.
  private static let longestTarget = 1500

  init?(_ settings: HTTPClient.Settings, _ mailbox: ServiceMailbox<ClientLoop?>) {
    guard let protocols = ServiceProtocols([], mostWritten: ServerLoop.mostWritten) else { return nil }
    self.settings = settings
    self.mailbox = mailbox
    self.protocols = protocols
    pings = .allocate(capacity: 1)
    pings.initialize(to: lws_retry_bo_t())
    pings.pointee.secs_since_valid_ping = settings.pingSeconds
    pings.pointee.secs_since_valid_hangup = settings.hangupSeconds
    pin = .allocate(capacity: 1)
    pin.initialize(to: ccert_pin())
    if case .pinned(let fingerprint) = settings.trust {
      withUnsafeMutableBytes(of: &pin.pointee.hash) { $0.copyBytes(from: fingerprint.bytes) }
    }
    super.init()
    guard open() else { return nil }
  }

  deinit {
    pings.deallocate()
    pin.deallocate()
    scratch.deallocate()
  }

  private func open() -> Bool {
    context = cws_context(64, 16 << 10, settings.seconds, Unmanaged.passUnretained(self).toOpaque())
    guard let context else { return false }
    vhost = cws_client(context, protocols.pointer)
    // libwebsockets closes what it watches; the mailbox keeps its own.
    guard vhost != nil, let copy = Optional(dup(mailbox.descriptor)), copy >= 0,
      cws_watch(vhost, copy, ServiceProtocols.unnamed, Self.mailboxID) != nil
    else {
      lws_context_destroy(context)
      return false
    }
    return true
  }

  func run() {
    while !(isStopping && exchanges.isEmpty), lws_service(context, 0) >= 0 {}
    lws_context_destroy(context)
    for exchange in exchanges.values { end(exchange) }
  }

  func beginStop() {
    isStopping = true
    for exchange in exchanges.values {
      if let open = exchange.open { open.socket.close() } else { exchange.fail(.closed) }
      if let wsi = exchange.wsi { exchange.open == nil ? cws_kill(wsi) : cws_limit(wsi, settings.lastWordSeconds) }
    }
  }

  // MARK: Beginning

  func begin(_ request: ClientExchange.Request, _ done: @escaping (Result<HTTPClient.Answer, HTTPClientError>) -> Void)
  {
    connect(request, .answer(done))
  }

  func open(
    _ request: ClientExchange.Request, _ subprotocols: [String], _ session: any WebSocketSession,
    _ done: @escaping (Result<WebSocket, HTTPClientError>) -> Void
  ) {
    connect(request, .socket(subprotocols, session, done))
  }

  func stream(
    _ request: ClientExchange.Request, _ sink: any HTTPBodySink,
    _ done: @escaping (Result<Bool, HTTPClientError>) -> Void
  ) {
    connect(request, .stream(sink, done))
  }

  private func connect(_ request: ClientExchange.Request, _ kind: ClientExchange.Kind) {
    let exchange = ClientExchange(id: next, request: request, kind: kind)
    next += 1
    precondition(
      request.target.hasPrefix("/") && request.target.utf8.count <= Self.longestTarget
        && request.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F },
      "a request's target is an encoded path of at most \(Self.longestTarget) bytes")
    guard !isStopping else { return exchange.fail(.closed) }
    exchanges[exchange.id] = exchange
    pin.pointee.is_asked = 0
    var method: String? = request.method.rawValue
    var offered: String?
    if case .socket(let subprotocols, _, _) = kind {
      method = nil
      offered = subprotocols.isEmpty ? nil : subprotocols.joined(separator: ", ")
    }
    let wsi = cws_connect(
      context, vhost, settings.host, Int32(settings.port), settings.trust == .plain ? 0 : 1, settings.authority,
      request.target, method, offered, ServiceProtocols.unnamed, pings, exchange.id)
    guard let wsi else {
      exchanges[exchange.id] = nil
      return failed(exchange, "no connection could be made")
    }
    // It may have come and gone already.
    if exchanges[exchange.id] != nil { exchange.wsi = wsi }
  }

  // MARK: What libwebsockets tells

  override func event(
    _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_RAW_RX_FILE:
      for order in mailbox.take() { order(self) }
      return 0
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS:
      if let user { ccert_pin_chain(user, pin) }
      return 0
    case LWS_CALLBACK_WSI_DESTROY:
      if let exchange = exchanges.removeValue(forKey: cws_id(wsi)) { end(exchange) }
      // It may be about to wait, with nothing left to wait for.
      if isStopping, exchanges.isEmpty { mailbox.post { _ in } }
      return 0
    default:
      guard let exchange = exchanges[cws_id(wsi)] else { return 0 }
      return event(exchange, wsi, reason, bytes)
    }
  }

  private func event(
    _ exchange: ClientExchange, _ wsi: OpaquePointer, _ reason: lws_callback_reasons,
    _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      exchange.status = Int(lws_http_client_http_response(wsi))
      failed(exchange, String(decoding: bytes, as: UTF8.self))
      return 0
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: return addHeaders(exchange, wsi, bytes)
    case LWS_CALLBACK_CLIENT_HTTP_WRITEABLE: return sendBody(exchange, wsi)
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
      exchange.status = Int(lws_http_client_http_response(wsi))
      exchange.headers = (try? FieldReader(wsi, more: [], mostBytes: 16 << 10).headers()) ?? [:]
      if exchange.request.lifeSign != nil { rest(wsi, untilLook: true) }
      return exchange.began() ? 0 : -1
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
      var start: UnsafeMutablePointer<CChar>? = (scratch.baseAddress! + Int(cws_pre)).assumingMemoryBound(
        to: CChar.self)
      var count = Int32(ServerLoop.responsePiece)
      return lws_http_client_read(wsi, &start, &count) < 0 ? -1 : 0
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
      let goesOn = exchange.take(
        UnsafeRawBufferPointer(bytes), most: settings.answerBytes, authority: settings.place)
      if exchange.request.lifeSign != nil {
        exchange.wasHeard = true
        rest(wsi, untilLook: false)
      } else {
        // From now on, however long taking it took.
        cws_limit(wsi, settings.seconds)
      }
      return goesOn ? 0 : -1
    case LWS_CALLBACK_TIMER:
      lookForLife(exchange, wsi)
      return 0
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
      exchange.complete()
      return 0
    case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
      // The last moment at which the answer's headers are there.
      exchange.headers = (try? FieldReader(wsi, more: [], mostBytes: 16 << 10).headers()) ?? [:]
      return 0
    case LWS_CALLBACK_CLIENT_ESTABLISHED: return established(exchange, wsi)
    case LWS_CALLBACK_CLIENT_RECEIVE: return exchange.open?.receive(bytes) ?? -1
    case LWS_CALLBACK_CLIENT_WRITEABLE: return exchange.open?.pump(scratch) ?? 0
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: return exchange.open?.peerCloses(bytes) ?? 0
    case LWS_CALLBACK_CLIENT_CLOSED:
      exchange.open?.closed()
      return 0
    default: return 0
    }
  }

  // MARK: Requests

  private func addHeaders(
    _ exchange: ClientExchange, _ wsi: OpaquePointer, _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    guard let base = bytes.baseAddress else { return -1 }
    let place = base.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
    guard let start = place.pointee else { return -1 }
    let end = start + bytes.count
    var lines = exchange.request.headers.fields.map { "\($0.name): \($0.value)" }
    if let body = exchange.request.body {
      lines.append("content-length: \(body.count)")
      if !body.isEmpty { lws_client_http_body_pending(wsi, 1) }
    }
    for line in lines where cws_add_line(place, end, line) == 0 { return -1 }
    if exchange.request.body?.isEmpty == false { lws_callback_on_writable(wsi) }
    return 0
  }

  private func sendBody(_ exchange: ClientExchange, _ wsi: OpaquePointer) -> Int32 {
    guard let body = exchange.request.body, exchange.sent < body.count else { return 0 }
    let count = min(body.count - exchange.sent, ServerLoop.responsePiece)
    let buffer = UnsafeMutableRawBufferPointer(rebasing: scratch[Int(cws_pre)..<(Int(cws_pre) + count)])
    buffer.copyBytes(from: body[exchange.sent..<(exchange.sent + count)])
    exchange.sent += count
    let isLast = exchange.sent == body.count
    if isLast { lws_client_http_body_pending(wsi, 0) } else { lws_callback_on_writable(wsi) }
    let kind = (isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP).rawValue
    return cws_write(wsi, buffer.baseAddress, count, Int32(kind)) < 0 ? -1 : 0
  }

  private func established(_ exchange: ClientExchange, _ wsi: OpaquePointer) -> Int32 {
    guard case .socket(_, let session, _) = exchange.kind else { return -1 }
    let head = HTTPRequestHead(
      method: .get, path: exchange.request.target, headers: exchange.request.headers,
      peer: .network(address: settings.host, port: settings.port), isSecure: settings.trust != .plain,
      connection: exchange.id)
    let (id, mailbox) = (exchange.id, mailbox)
    let socket = WebSocket(
      head: head, subprotocol: exchange.headers["sec-websocket-protocol"], mostMessages: settings.queuedMessages,
      mostBytes: settings.queuedBytes
    ) { mailbox.post { $0?.exchanges[id]?.open?.announced() } }
    let open = OpenSocket(
      socket, session, wsi: wsi, mostIncoming: settings.messageBytes, lastWordSeconds: settings.lastWordSeconds)
    exchange.open = open
    if isStopping { socket.close() }
    open.opened()
    exchange.opened(socket)
    return 0
  }

  // MARK: Ending

  private func failed(_ exchange: ClientExchange, _ reason: String) {
    let host = settings.place
    if exchange.status > 0 { return exchange.fail(.refused(host, exchange.status)) }
    guard settings.trust != .plain, pin.pointee.is_asked == 1, pin.pointee.result != 0 else {
      return exchange.fail(.noConnection(host, reason))
    }
    let seen = CertificateFingerprint(hash: withUnsafeBytes(of: pin.pointee.seen) { Array($0) })
    switch settings.trust {
    case .plain, .nobody: exchange.fail(.unknownRig(host, seen: seen))
    case .pinned(let expected) where seen != expected:
      exchange.fail(.otherRig(host, expected: expected, seen: seen))
    case .pinned: exchange.fail(.badCertificate(host, String(cString: ccert_verify_text(pin.pointee.result))))
    }
  }

  /// It is gone already.
  private func end(_ exchange: ClientExchange) {
    exchange.open?.closed()
    // libwebsockets says nothing of its own of a socket on this machine that nobody listens at.
    let isUnanswered = settings.host.hasPrefix("+") && exchange.status == 0
    exchange.fail(isUnanswered ? .noConnection(settings.place, "nobody answers there") : .lost(settings.place))
  }
}
