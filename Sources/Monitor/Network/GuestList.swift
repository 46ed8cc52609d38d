import CamrigModel
import HTTP

/// Who is connected in the network just now, so that a monitor that is revoked can be sent away.
package final class GuestList: Sendable {
  private struct State {
    var sockets: [(socket: WebSocket, peer: Peer)] = []
    /// IDs are never given twice.
    var revoked: Set<Int> = []
    var watcher: @Sendable () -> Void = {}
  }

  private let state = Guarded(State())

  package init() {}

  /// Called whenever somebody comes or goes.
  package func onChange(_ watcher: @escaping @Sendable () -> Void) { state.withLock { $0.watcher = watcher } }

  func changed() { state.withLock { $0.watcher }() }

  func came(_ socket: WebSocket, _ peer: Peer) {
    state.withLock { $0.sockets.append((socket, peer)) }
    changed()
  }

  func left(_ socket: WebSocket, _ peer: Peer) {
    state.withLock { $0.sockets.removeAll { $0.socket === socket } }
    changed()
  }

  /// IDs of monitors.
  var present: Set<Int> {
    Set(state.withLock { $0.sockets }.compactMap { $0.peer.monitorID })
  }

  func isRevoked(_ monitor: Int) -> Bool { state.withLock { $0.revoked.contains(monitor) } }

  func sendAway(_ monitor: Int) {
    state.withLock { _ = $0.revoked.insert(monitor) }
    for (socket, peer) in state.withLock({ $0.sockets }) where peer.monitorID == monitor {
      socket.close(WebSocketClosing(4401, "this monitor was revoked; pair it again"))
    }
  }
}

extension Peer {
  var monitorID: Int? {
    if case .monitor(let id, _, _) = origin { id } else { nil }
  }
}

/// A session that stands on the guest list.
final class GuestSession: WebSocketSession {
  private let session: any WebSocketSession
  private let guests: GuestList
  private let peer: Peer

  init(_ session: any WebSocketSession, guests: GuestList, peer: Peer) {
    self.session = session
    self.guests = guests
    self.peer = peer
  }

  func opened(_ socket: WebSocket) {
    guests.came(socket, peer)
    // Between being let in and being on the list it may have been revoked.
    if let monitor = peer.monitorID, guests.isRevoked(monitor) { guests.sendAway(monitor) }
    session.opened(socket)
  }

  func received(_ message: WebSocketMessage, from socket: WebSocket) { session.received(message, from: socket) }
  func next(for socket: WebSocket) -> WebSocketMessage.Outgoing? { session.next(for: socket) }

  func closed(_ socket: WebSocket, _ reason: WebSocketClosing) {
    guests.left(socket, peer)
    session.closed(socket, reason)
  }
}

/// A response without end that ends for a monitor that is revoked.
final class GuestStream: HTTPBodyStream {
  private let stream: any HTTPBodyStream
  private let guests: GuestList
  private let monitor: Int?

  init(_ stream: any HTTPBodyStream, guests: GuestList, peer: Peer?) {
    self.stream = stream
    self.guests = guests
    monitor = peer?.monitorID
  }

  func begin(wake: @escaping @Sendable () -> Void) { stream.begin(wake: wake) }

  func next() -> HTTPStreamPiece {
    if let monitor, guests.isRevoked(monitor) { return .end }
    return stream.next()
  }

  func ended() { stream.ended() }
}
