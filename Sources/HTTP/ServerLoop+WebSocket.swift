import CLinux
import CWebSockets
import CamrigModel
import Glibc

extension ServerLoop {
  // MARK: Opening

  /// -1 where it is refused: the answer is written, and libwebsockets closes behind it.
  func decideUpgrade(_ connection: ServerConnection) -> Int32 {
    // Only `websocket` is left: for anything else libwebsockets has answered already, and forgotten the request.
    guard lws_hdr_total_length(connection.wsi, WSI_TOKEN_HOST) > 0 else { return -1 }
    do throws(RequestReader.Fault) {
      let head = try readHead(connection)
      if let redirect = HTTPRedirect.toTLS(head, wantsTLS: connection.wantsTLS) {
        return refuse(redirect, to: head, connection)
      }
      let subprotocol: String?
      switch WebSocketOffer(head, known: settings.subprotocols) {
      case .malformed(let status, let code, let text):
        return refuse(
          .problem(
            status, code, text, headers: status == 426 ? ["sec-websocket-version": "13", "upgrade": "websocket"] : [:]),
          to: head, connection)
      case .acceptable(let name): subprotocol = name
      }
      switch handler.webSocket(head, subprotocol: subprotocol) {
      case .refused(let response): return refuse(response, to: head, connection)
      case .accepted(let session):
        connection.stage = .upgrading(head, subprotocol, session)
        return 0
      }
    } catch {
      return refuse(.problem(error.status, error.code, error.text), to: nil, connection)
    }
  }

  func established(_ connection: ServerConnection) -> Int32 {
    guard case .upgrading(let head, let subprotocol, let session) = connection.stage else { return -1 }
    let (id, descriptor, mailbox, limits) = (connection.id, connection.descriptor, mailbox, settings.limits)
    let socket = WebSocket(
      head: head, subprotocol: subprotocol, mostMessages: limits.queuedMessages, mostBytes: limits.queuedBytes,
      measure: { Self.leastRoundTrip(descriptor) }
    ) {
      mailbox.post { $0.announced(id) }
    }
    let open = OpenSocket(
      socket, session, wsi: connection.wsi, mostIncoming: limits.messageBytes,
      lastWordSeconds: settings.lastWordSeconds,
      signs: LifeSigns(patience: .seconds(limits.hangupSeconds), at: SystemClock().now))
    connection.stage = .open(open)
    lws_set_timer_usecs(connection.wsi, Self.lookForSigns)
    // BBR takes how little a live picture needs for all that the link carries, and crawls after a packet was lost.
    if !connection.peer.isProcess { cl_leave_bbr(connection.descriptor) }
    if isStopping { socket.finish(.goingAway) }
    open.opened()
    return 0
  }

  /// Microseconds.
  private static let lookForSigns: Int64 = 2_000_000

  /// Whoever hangs would not answer a farewell either, for which libwebsockets waits as long as for a handshake: the
  /// session is told now, and the socket is shut.
  func lookForSigns(_ connection: ServerConnection, _ open: OpenSocket) -> Int32 {
    var isOutstanding: Int32 = 0
    var received: UInt64 = 0
    let bytes = cl_acknowledged(connection.descriptor, &isOutstanding, &received)
    let progress = LifeSigns.Progress(
      acknowledgedBytes: UInt64(max(0, bytes)), isOutstanding: isOutstanding != 0, receivedBytes: received)
    // The end of a process on this machine is told by the kernel.
    guard bytes >= 0, open.isGone(at: SystemClock().now, progress) else {
      lws_set_timer_usecs(connection.wsi, Self.lookForSigns)
      return 0
    }
    open.closed()
    shutdown(connection.descriptor, Int32(SHUT_RDWR))
    return -1
  }

  private static func leastRoundTrip(_ descriptor: Int32) -> Duration? {
    let microseconds = cl_least_round_trip(descriptor)
    return microseconds > 0 ? .microseconds(Int64(microseconds)) : nil
  }

  private func announced(_ id: UInt) {
    guard let connection = connections[id], case .open(let open) = connection.stage else { return }
    open.announced()
  }
}
