import CLinux
import CWebSockets
import DaemonKit
import Glibc

extension ServerLoop {
  struct Listener {
    let id: UInt64
    let socket: ListeningSocket
    let isSecure: Bool
  }

  // MARK: Listening

  func add(_ socket: ListeningSocket, isSecure: Bool) {
    guard !isStopping else { return }
    let listener = Listener(id: nextListener, socket: socket, isSecure: isSecure)
    nextListener += 1
    listeners[listener.id] = listener
    let events = isAccepting ? EPOLLIN.rawValue : 0
    let result = cl_epoll_set(epoll, EPOLL_CTL_ADD, socket.descriptor, events, listener.id)
    if result < 0 { log.error("\(HTTPServerError.failed(socket.place, -result))") }
  }

  func drop(_ socket: ListeningSocket) {
    for (id, listener) in listeners where listener.socket === socket { dropListener(id) }
  }

  func dropListener(_ id: UInt64) {
    guard let listener = listeners.removeValue(forKey: id) else { return }
    _ = cl_epoll_set(epoll, EPOLL_CTL_DEL, listener.socket.descriptor, 0, 0)
  }

  // MARK: Coming

  func accept(_ listener: Listener) {
    // A few at a time, so that those who are connected have their turn.
    for _ in 0..<32 {
      let descriptor = nextClient(listener.socket.descriptor)
      guard descriptor >= 0 else {
        if descriptor != -EAGAIN { pauseAccepting(-descriptor) }
        return
      }
      take(descriptor, listener)
    }
  }

  private func take(_ descriptor: Int32, _ listener: Listener) {
    // Who has left already has no name, and must not be taken for a program on this machine.
    guard let peer = HTTPPeer(descriptor, isLocal: listener.socket.isLocal) else {
      close(descriptor)
      return
    }
    guard
      connectionsOfGroup[peer.group, default: 0] < settings.limits.connectionsPerAddress
        || endRestingDownload(of: peer.group)
    else {
      return refuse(descriptor, peer, "it has \(settings.limits.connectionsPerAddress) open already")
    }
    // Last, so that who is refused anyway ends nobody's download.
    guard connections.count < settings.limits.connections || endRestingDownload(of: nil) else {
      return refuse(descriptor, peer, "\(settings.limits.connections) are open already")
    }
    if !listener.socket.isLocal { tune(descriptor) }
    let id = nextConnection
    nextConnection += 1
    guard let vhost = listener.isSecure ? secure : plain else {
      close(descriptor)
      return
    }
    // Closes the socket where it fails.
    guard let wsi = cws_adopt(vhost, descriptor, id) else { return }
    let connection = ServerConnection(
      id: id, descriptor: descriptor, peer: peer, wantsTLS: listener.isSecure, wsi: wsi)
    connections[id] = connection
    connectionsOfGroup[peer.group, default: 0] += 1
  }

  private func refuse(_ descriptor: Int32, _ peer: HTTPPeer, _ why: String) {
    var fields: [String: String] = [:]
    if case .network(let address, _) = peer { fields[LogLine.addressField] = address }
    log.warning("A connection from \(peer) is refused: \(why).", fields: fields)
    close(descriptor)
  }

  /// Small messages go at once; what is old by the time it is sent is not even written; and a peer that has vanished
  /// without a word is found by the kernel, whatever the connection is used for.
  private func tune(_ descriptor: Int32) {
    func set(_ option: Int32, _ value: Int32) {
      var value = value
      setsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, 4)
    }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, 4)
    set(TCP_NODELAY, 1)
    set(TCP_NOTSENT_LOWAT, settings.limits.unsentBytes)
    // The user timeout bounds both: what is not acknowledged, and signs of life that are not answered.
    set(TCP_KEEPIDLE, Int32(settings.limits.pingSeconds))
    set(TCP_KEEPINTVL, Int32(settings.limits.pingSeconds))
    set(TCP_USER_TIMEOUT, Int32(settings.limits.deadSeconds) * 1000)
  }

  // Without the pause epoll would report the same waiting client for ever.
  private func pauseAccepting(_ code: Int32) {
    log.warning(
      "A browser or program has to wait: \(String(cString: strerror(code))). "
        + "Raise LimitNOFILE= of the service if this lasts.")
    isAccepting = false
    setTimer(seconds: 1)
    for listener in listeners.values {
      _ = cl_epoll_set(epoll, EPOLL_CTL_MOD, listener.socket.descriptor, 0, listener.id)
    }
  }

  func acceptAgain() {
    isAccepting = true
    for listener in listeners.values {
      _ = cl_epoll_set(epoll, EPOLL_CTL_MOD, listener.socket.descriptor, EPOLLIN.rawValue, listener.id)
    }
  }

  // MARK: Going

  func leave(_ connection: ServerConnection) {
    let group = connection.peer.group
    connectionsOfGroup[group, default: 1] -= 1
    if connectionsOfGroup[group] == 0 { connectionsOfGroup[group] = nil }
  }
}
