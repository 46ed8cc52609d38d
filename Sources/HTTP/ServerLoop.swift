import CLinux
import CWebSockets
import DaemonKit
import Glibc

/// What the server's thread does: libwebsockets' callbacks, and one epoll set of our own beside its poll.
///
/// While a request is answered, libwebsockets must not read that socket: what a client sends too early would be taken
/// for a body, or spin, or (4.3) end the response. With reading stopped it does not report that the socket takes more
/// either, so the epoll set does, and says as well that a stream's viewer has gone.
final class ServerLoop: ServiceOwner {
  /// What epoll calls its descriptors; connections count from `firstConnection`.
  enum ID {
    static let mailbox: UInt64 = 0
    static let timer: UInt64 = 1
    static let lastWordTimer: UInt64 = 2
    static let firstListener: UInt64 = 3
    static let firstConnection: UInt = 1 << 20
    static let firstLastWord: UInt64 = 1 << 62
  }

  /// libwebsockets' own id of the epoll set.
  static let watchID: UInt = 1
  /// The most that is written at once: a picture in one piece.
  static let mostWritten = 256 << 10
  /// What of a response is written at once.
  static let responsePiece = 64 << 10

  let settings: WebSocketsServer.Settings
  let handler: any HTTPHandler
  let mailbox: ServiceMailbox<ServerLoop>
  let log: Log
  let nextClient: (Int32) -> Int32
  let protocols: ServiceProtocols
  /// Written from; libwebsockets puts its frame's head in front.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(cws_pre) + mostWritten, alignment: 16)
  private let pings: UnsafeMutablePointer<lws_retry_bo_t>
  private(set) var context: OpaquePointer?
  private(set) var plain: OpaquePointer?
  private(set) var secure: OpaquePointer?
  private(set) var epoll: Int32 = -1
  /// Of the secure vhost, once there is one.
  var secureContext: OpaquePointer?
  var certificate: ServerCertificate?
  var listeners: [UInt64: Listener] = [:]
  var nextListener = ID.firstListener
  var connections: [UInt: ServerConnection] = [:]
  var nextConnection = ID.firstConnection
  var connectionsOfGroup: [String: Int] = [:]
  /// New connections are taken; else they are again when `timer` goes off.
  var isAccepting = true
  /// Made at once: when it is needed, there are no descriptors.
  private(set) var timer: Int32 = -1
  private(set) var lastWords: LastWords!
  var isStopping = false
  /// How often libwebsockets has changed what it polls a socket for.
  private(set) var pollChanges = 0

  init?(
    _ settings: WebSocketsServer.Settings, _ handler: any HTTPHandler, _ mailbox: ServiceMailbox<ServerLoop>,
    _ log: Log,
    accept: @escaping (Int32) -> Int32
  ) {
    guard let protocols = ServiceProtocols(settings.subprotocols, mostWritten: Self.mostWritten) else { return nil }
    self.protocols = protocols
    self.settings = settings
    self.handler = handler
    self.mailbox = mailbox
    self.log = log
    nextClient = accept
    pings = .allocate(capacity: 1)
    pings.initialize(to: lws_retry_bo_t())
    pings.pointee.secs_since_valid_ping = settings.limits.pingSeconds
    // Who does not answer is found by `LifeSigns`: libwebsockets takes a slow link for a dead one.
    pings.pointee.secs_since_valid_hangup = .max
    super.init()
    guard open() else { return nil }
  }

  deinit {
    pings.deallocate()
    scratch.deallocate()
  }

  private func open() -> Bool {
    let limits = settings.limits
    context = cws_context(
      UInt32(limits.connections + 32), limits.headerBytes, limits.headerSeconds,
      Unmanaged.passUnretained(self).toOpaque())
    guard let context else { return false }
    plain = server(isSecure: false)
    epoll = cl_epoll()
    timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
    let lastWords = LastWords(epoll: epoll, firstID: ID.firstLastWord, patience: .seconds(settings.lastWordSeconds))
    self.lastWords = lastWords
    guard plain != nil, epoll >= 0, timer >= 0, lastWords.timer >= 0,
      cl_epoll_set(epoll, EPOLL_CTL_ADD, timer, EPOLLIN.rawValue, ID.timer) == 0,
      cl_epoll_set(epoll, EPOLL_CTL_ADD, lastWords.timer, EPOLLIN.rawValue, ID.lastWordTimer) == 0,
      cl_epoll_set(epoll, EPOLL_CTL_ADD, mailbox.descriptor, EPOLLIN.rawValue, ID.mailbox) == 0,
      cws_watch(plain, epoll, ServiceProtocols.unnamed, Self.watchID) != nil
    else {
      lws_context_destroy(context)
      return false
    }
    return true
  }

  private func server(isSecure: Bool) -> OpaquePointer? {
    let limits = settings.limits
    return cws_server(
      context, protocols.pointer, isSecure ? 1 : 0, limits.idleSeconds, limits.headerSeconds, pings)
  }

  /// False where TLS cannot be had.
  func beginTLS() -> Bool {
    if secure == nil { secure = server(isSecure: true) }
    if secure == nil { secureContext = nil }
    return secure != nil
  }

  func run() {
    while !(isStopping && connections.isEmpty), lws_service(context, 0) >= 0 { mailbox.countTurn() }
    if !isStopping { log.error("The web server has failed: libwebsockets gave up. Restart the service.") }
    mailbox.shut()
    // Closes the epoll set too, and what is still open.
    lws_context_destroy(context)
    for connection in connections.values { end(connection) }
    listeners = [:]
    close(timer)
  }

  // MARK: What libwebsockets tells

  override func event(
    _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    switch reason {
    // Asked whenever it changes what it polls for; the same answer each time, for there is one thread.
    case LWS_CALLBACK_GET_THREAD_ID:
      pollChanges += 1
      return 1
    case LWS_CALLBACK_RAW_RX_FILE:
      collect()
      return 0
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
      guard let user, certificate?.install(OpaquePointer(user)) == true else { return -1 }
      secureContext = OpaquePointer(user)
      return 0
    // CONNECT, which turns the connection into something that is not HTTP.
    case LWS_CALLBACK_RAW_ADOPT: return -1
    case LWS_CALLBACK_WSI_DESTROY:
      if let connection = connections.removeValue(forKey: cws_id(wsi)) { end(connection) }
      // It may be about to wait, with nothing left to wait for.
      if isStopping, connections.isEmpty { mailbox.post { _ in } }
      return 0
    case LWS_CALLBACK_HTTP, LWS_CALLBACK_HTTP_BODY, LWS_CALLBACK_HTTP_BODY_COMPLETION, LWS_CALLBACK_HTTP_WRITEABLE,
      LWS_CALLBACK_HTTP_CONFIRM_UPGRADE, LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION, LWS_CALLBACK_TIMER,
      LWS_CALLBACK_ESTABLISHED, LWS_CALLBACK_RECEIVE, LWS_CALLBACK_SERVER_WRITEABLE,
      LWS_CALLBACK_WS_PEER_INITIATED_CLOSE, LWS_CALLBACK_CLOSED:
      guard let connection = connections[cws_id(wsi)] else { return -1 }
      return event(connection, reason, bytes)
    default: return 0
    }
  }

  private func event(
    _ connection: ServerConnection, _ reason: lws_callback_reasons, _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_HTTP: return begin(connection)
    case LWS_CALLBACK_HTTP_BODY: return take(bytes, connection)
    case LWS_CALLBACK_HTTP_BODY_COMPLETION: return completeBody(connection)
    case LWS_CALLBACK_HTTP_WRITEABLE: return pump(connection)
    case LWS_CALLBACK_TIMER: return timeIsOver(connection)
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return decideUpgrade(connection)
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
      if case .upgrading = connection.stage { return 0 }
      return -1
    case LWS_CALLBACK_ESTABLISHED: return established(connection)
    default: break
    }
    guard case .open(let open) = connection.stage else { return -1 }
    switch reason {
    case LWS_CALLBACK_RECEIVE: return open.receive(bytes)
    case LWS_CALLBACK_SERVER_WRITEABLE: return open.pump(scratch)
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: return open.peerCloses(bytes)
    default:
      open.closed()
      return 0
    }
  }

  // MARK: What our own epoll set tells

  private func collect() {
    var ids = [UInt64](repeating: 0, count: 64)
    var events = [UInt32](repeating: 0, count: 64)
    let count = Int(cl_epoll_wait(epoll, &ids, &events, 64, 0))
    for index in 0..<max(0, count) {
      switch ids[index] {
      case ID.mailbox: for order in mailbox.take() { order(self) }
      case ID.timer: timerWent()
      case ID.lastWordTimer: lastWords.timerWent()
      case let id where id >= ID.firstLastWord: lastWords.ready(id, scratch)
      case let id where id < UInt64(ID.firstConnection):
        if let listener = listeners[id] { accept(listener) }
      case let id: ready(UInt(id), events[index])
      }
    }
  }

  private func ready(_ id: UInt, _ events: UInt32) {
    guard let connection = connections[id] else { return }
    let gone = EPOLLHUP.rawValue | EPOLLERR.rawValue | EPOLLRDHUP.rawValue
    if events & gone != 0 { return cws_kill(connection.wsi) }
    resume(connection)
  }

  /// Has epoll say it once.
  func watch(_ connection: ServerConnection, _ events: UInt32) {
    let operation = connection.isWatched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
    connection.isWatched = true
    if cl_epoll_set(epoll, operation, connection.descriptor, events | EPOLLONESHOT.rawValue, UInt64(connection.id)) < 0
    {
      cws_kill(connection.wsi)
    }
  }

  // MARK: Ending

  private func timerWent() {
    var count: UInt64 = 0
    read(timer, &count, 8)
    guard isStopping else { return acceptAgain() }
    for connection in connections.values { cws_kill(connection.wsi) }
  }

  func setTimer(seconds: Int) {
    var time = itimerspec()
    time.it_value.tv_sec = seconds
    timerfd_settime(timer, 0, &time, nil)
  }

  /// It is gone already.
  private func end(_ connection: ServerConnection) {
    switch connection.stage {
    case .answering(_, let task): task.cancel()
    case .sending(let sending): sending.stream?.ended()
    case .open(let open): open.closed()
    case .idle, .receiving, .upgrading: break
    }
    leave(connection)
  }

  func beginStop() {
    isStopping = true
    // A handshake has limits of libwebsockets' own, beyond what a stop may last.
    setTimer(seconds: Int(settings.lastWordSeconds))
    for id in listeners.keys { dropListener(id) }
    for connection in connections.values {
      switch connection.stage {
      // Who has just come is answered: its request is on its way, and systemd may keep the next ones for our successor.
      case .idle where connection.request == 0: cws_limit(connection.wsi, settings.lastWordSeconds)
      case .idle, .upgrading: cws_kill(connection.wsi)
      // Whoever does not take its last word is not waited for.
      case .answering, .sending, .receiving: cws_limit(connection.wsi, settings.lastWordSeconds)
      case .open(let open):
        // What was said before the end is heard, by whoever hears it in time.
        open.socket.finish(.goingAway)
        cws_limit(connection.wsi, settings.lastWordSeconds)
      }
    }
  }
}
