import CLinux
import CamrigModel
import DaemonKit
import Glibc

/// What the control server's thread does. Made and used on that thread only.
final class ControlLoop {
  /// What epoll calls its descriptors.
  enum ID {
    static let listener: UInt64 = 0
    static let mailbox: UInt64 = 1
    static let firstConnection: UInt64 = 2
  }

  /// More than any rig has monitors; a program that forgets to close must not take all descriptors.
  private static let mostConnections = 256
  /// How long a monitor that does not read is given for its last word.
  private static let lastWord = Duration.seconds(5)
  /// After the system had no descriptor or memory for a new monitor.
  private static let acceptAgain = Duration.seconds(1)
  /// Lines of one monitor before the others' turn.
  private static let linesInTurn = 32

  private let socket: ControlSocket
  private let handler: any RequestHandler
  private let mailbox: ControlMailbox
  private let log: Log
  private let clock: any RigClock
  private let nextMonitor: (Int32) -> Int32
  private let epoll: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 16)
  private var connections: [UInt64: ControlConnection] = [:]
  private var nextConnection = ID.firstConnection
  /// Those that had more lines than their turn.
  private var unfinished: Set<UInt64> = []
  /// When new monitors are taken again; nil while they are.
  private var acceptsAt: MediaTime?

  /// `epoll` watches the socket and the mailbox already.
  init(
    _ socket: ControlSocket, epoll: Int32, handler: any RequestHandler, mailbox: ControlMailbox, log: Log,
    clock: any RigClock, accept: @escaping (Int32) -> Int32
  ) {
    self.socket = socket
    self.epoll = epoll
    self.handler = handler
    self.mailbox = mailbox
    self.log = log
    self.clock = clock
    nextMonitor = accept
  }

  deinit { buffer.deallocate() }

  func run() {
    var ids = [UInt64](repeating: 0, count: 64)
    var events = [UInt32](repeating: 0, count: 64)
    var isStopping = false
    while !isStopping {
      let count = Int(cl_epoll_wait(epoll, &ids, &events, 64, timeout()))
      for index in 0..<max(0, count) {
        switch ids[index] {
        case ID.listener: accept()
        case ID.mailbox: isStopping = collect() || isStopping
        case let id: serve(id, events[index])
        }
      }
      let rest = unfinished
      unfinished = []
      for id in rest { advance(id) }
      keepTimes()
    }
    for (_, connection) in connections {
      _ = connection.outbox.send(to: connection.descriptor)
      connection.end()
    }
    connections = [:]
  }

  // MARK: Time

  /// Milliseconds for epoll: for ever, unless something has a time.
  private func timeout() -> Int32 {
    guard unfinished.isEmpty else { return 0 }
    let times = connections.values.compactMap(\.closingBy) + [acceptsAt].compactMap { $0 }
    guard let first = times.min() else { return -1 }
    return Int32(clamping: max(0, (first - clock.now).inNanoseconds / 1_000_000 + 1))
  }

  private func keepTimes() {
    guard acceptsAt != nil || connections.values.contains(where: { $0.closingBy != nil }) else { return }
    let now = clock.now
    if let time = acceptsAt, time <= now {
      acceptsAt = nil
      _ = cl_epoll_set(epoll, EPOLL_CTL_MOD, socket.descriptor, EPOLLIN.rawValue, ID.listener)
    }
    for (id, connection) in connections {
      if let time = connection.closingBy, time <= now { remove(id) }
    }
  }

  // MARK: Coming and going

  private func accept() {
    while true {
      let descriptor = nextMonitor(socket.descriptor)
      guard descriptor >= 0 else {
        if descriptor != -EAGAIN { pauseAccepting(-descriptor) }
        return
      }
      add(descriptor)
    }
  }

  // Without the pause epoll would report the same waiting monitor for ever.
  private func pauseAccepting(_ code: Int32) {
    log.warning(
      "A monitor has to wait: \(String(cString: strerror(code))). Raise LimitNOFILE= of the service if this lasts.",
      .commandRefused)
    _ = cl_epoll_set(epoll, EPOLL_CTL_MOD, socket.descriptor, 0, ID.listener)
    acceptsAt = clock.now + Self.acceptAgain
  }

  private func add(_ descriptor: Int32) {
    let id = nextConnection
    nextConnection += 1
    let peer = Peer(connection: id, descriptor: descriptor)
    let connection = ControlConnection(
      descriptor: descriptor, peer: peer, session: handler.begin(peer), limits: Outbox.Limits())
    guard cl_epoll_set(epoll, EPOLL_CTL_ADD, descriptor, 0, id) == 0 else { return connection.end() }
    let isOneTooMany = connections.count >= Self.mostConnections
    connections[id] = connection
    guard !isOneTooMany else {
      let error = RPCError(
        .tooManyMonitors, "\(Self.mostConnections) programs use the control socket already. Close some of them.")
      return dismiss(id, connection, error)
    }
    log.info(
      "A monitor connected: \(connection.peer)", .monitorConnected, fields: connection.peer.journalFields)
    advance(id)
  }

  private func remove(_ id: UInt64) { connections.removeValue(forKey: id)?.end() }

  private func dismiss(_ id: UInt64, _ connection: ControlConnection, _ error: RPCError) {
    log.warning("A monitor is sent away (\(connection.peer)): \(error)", .commandRefused)
    connection.stopPumps()
    connection.outbox.shut(RPCNotification(method: RPCNotification.closing, params: error.json).json.bytes + [0x0A])
    connection.closingBy = clock.now + Self.lastWord
    settle(id, connection)
  }

  // MARK: Requests

  private func serve(_ id: UInt64, _ events: UInt32) {
    guard let connection = connections[id] else { return }
    if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { leave(connection) }
    advance(id)
  }

  // What it had sent before it left is still carried out.
  private func leave(_ connection: ControlConnection) {
    guard !connection.isGone else { return }
    connection.isGone = true
    connection.stopPumps()
    _ = cl_epoll_set(epoll, EPOLL_CTL_DEL, connection.descriptor, 0, 0)
  }

  private func advance(_ id: UInt64) {
    guard let connection = connections[id] else { return }
    var lines = 0
    while connection.mayBegin {
      guard lines < Self.linesInTurn else {
        unfinished.insert(id)
        break
      }
      guard let piece = connection.nextPiece(buffer) else { break }
      lines += 1
      begin(piece, id, connection)
    }
    settle(id, connection)
  }

  private func begin(_ piece: LineSplitter.Piece, _ id: UInt64, _ connection: ControlConnection) {
    let line: [UInt8]
    switch piece {
    case .line(let bytes): line = bytes
    case .tooLong:
      let error = RPCError(.requestTooLarge, "a request is at most \(LineSplitter.longestLine) bytes long")
      return answer(RPCResponse(id: .null, .failure(error)), connection)
    }
    do throws(RPCResponse) {
      let request = try RPCRequest.read(line)
      connection.underWay = (request.id, request.method)
      let (mailbox, session) = (mailbox, connection.session)
      Task { mailbox.reply(await session.handle(request), to: id) }
    } catch {
      answer(error, connection)
    }
  }

  private func answer(_ response: RPCResponse, _ connection: ControlConnection) {
    guard !connection.isGone else { return }
    var bytes = response.json.bytes
    if bytes.count > LineSplitter.longestLine {
      let error = RPCError(
        .answerTooLarge, "the answer would be \(bytes.count) bytes long; ask for less, for example with a limit")
      bytes = RPCResponse(id: response.id, .failure(error)).json.bytes
    }
    connection.outbox.put(bytes + [0x0A])
  }

  // MARK: Answers

  /// True when the server is to stop.
  private func collect() -> Bool {
    let content = mailbox.take()
    for (id, reply) in content.replies {
      guard let connection = connections[id] else { continue }
      finish(reply, id, connection)
      advance(id)
    }
    for (id, response) in content.late {
      guard let connection = connections[id] else { continue }
      connection.laterAnswers -= 1
      if let response { answer(response, connection) }
      advance(id)
    }
    for id in content.filled {
      if let connection = connections[id] { settle(id, connection) }
    }
    return content.isStopping
  }

  private func finish(_ reply: RPCReply, _ id: UInt64, _ connection: ControlConnection) {
    let (request, method) = (connection.underWay?.id, connection.underWay?.method ?? "")
    connection.underWay = nil
    func answer(_ outcome: RPCResponse.Outcome) {
      if let request { self.answer(RPCResponse(id: request, outcome), connection) }
    }
    switch reply {
    case .result(let value): answer(.result(value))
    case .failure(let error): answer(.failure(error))
    case .later(let work):
      connection.laterAnswers += 1
      let mailbox = mailbox
      Task {
        let outcome = await work()
        mailbox.answerLater(request.map { RPCResponse(id: $0, outcome) }, to: id)
      }
    case .subscription(let value, let stream):
      answer(.result(value))
      guard !connection.isGone, connection.closingBy == nil else { return }
      let (outbox, mailbox) = (connection.outbox, mailbox)
      connection.follow(
        method,
        Task {
          for await notification in stream {
            let isTaken = outbox.put(notification.json.bytes + [0x0A])
            mailbox.filled(id)
            guard isTaken else { return }
          }
        })
    }
  }

  /// Sends what can be sent, and sees what the connection needs next.
  private func settle(_ id: UInt64, _ connection: ControlConnection) {
    if !connection.isGone {
      switch connection.outbox.send(to: connection.descriptor) {
      case .all: connection.isBlocked = false
      case .blocked: connection.isBlocked = true
      case .gone: leave(connection)
      }
    }
    if connection.outbox.isFull, connection.closingBy == nil, !connection.isGone {
      let error = RPCError(.monitorTooSlow, "this monitor does not read what it asked for; connect again and read on")
      return dismiss(id, connection, error)
    }
    if connection.isOver { return remove(id) }
    if connection.isGone {
      // Nobody wakes us for it any more; go on when its request has been carried out, or at once.
      if connection.mayBegin, !connection.isDrained { unfinished.insert(id) }
      return
    }
    let wanted = connection.wanted
    guard wanted != connection.interest else { return }
    connection.interest = wanted
    _ = cl_epoll_set(epoll, EPOLL_CTL_MOD, connection.descriptor, wanted, id)
  }
}
