import CLinux
import CamrigModel
import Glibc

/// One monitor on the control socket. Belongs to the server's thread; only its outbox is shared.
final class ControlConnection {
  let descriptor: Int32
  let peer: Peer
  let session: any MonitorSession
  let outbox: Outbox
  var input = LineSplitter()
  /// The request that is being carried out, to be answered before the next one begins.
  var underWay: (id: RPCID?, method: String)?
  /// Requests that are answered later, and for which the next one did not wait.
  var laterAnswers = 0
  /// Feed the outbox from what this monitor subscribed to, by method.
  private var pumps: [String: Task<Void, Never>] = [:]
  /// The other end sends no more.
  var inputEnded = false
  /// And all that it had sent was begun.
  private(set) var isDrained = false
  /// The other end reads no more; nothing is sent, and epoll knows it no longer.
  var isGone = false
  /// It is being closed: gets its last word until then.
  var closingBy: MediaTime?
  /// What epoll waits for now.
  var interest: UInt32 = 0
  var isBlocked = false

  /// Answers that a monitor has not read yet before its next request waits.
  static let unreadAnswers = 16
  /// As many may be answered later at once.
  static let mostLaterAnswers = 256

  init(descriptor: Int32, peer: Peer, session: any MonitorSession, limits: Outbox.Limits) {
    self.descriptor = descriptor
    self.peer = peer
    self.session = session
    outbox = Outbox(limits)
  }

  var mayBegin: Bool {
    underWay == nil && closingBy == nil && laterAnswers < Self.mostLaterAnswers
      && (isGone || outbox.count < Self.unreadAnswers)
  }

  /// What epoll should wait for. Nothing is read ahead of what can begin.
  var wanted: UInt32 {
    var events: UInt32 = 0
    if !inputEnded && mayBegin { events |= EPOLLIN.rawValue }
    if isBlocked { events |= EPOLLOUT.rawValue }
    return events
  }

  /// Nothing can come of it any more.
  var isOver: Bool {
    if closingBy != nil { return isGone || outbox.count == 0 }
    guard underWay == nil, laterAnswers == 0, inputEnded else { return false }
    return isGone || (outbox.count == 0 && pumps.isEmpty)
  }

  /// The next whole line, read from the socket where needed; nil when there is none yet.
  func nextPiece(_ buffer: UnsafeMutableRawBufferPointer) -> LineSplitter.Piece? {
    while true {
      if let piece = input.next() { return piece }
      guard !inputEnded else {
        isDrained = true
        return nil
      }
      let n = cl_read(descriptor, buffer.baseAddress!, buffer.count)
      if n > 0 {
        input.append(UnsafeRawBufferPointer(rebasing: buffer[..<n]))
      } else {
        if n == -Int(EAGAIN) { return nil }
        inputEnded = true
      }
    }
  }

  /// A second subscription to the same takes the place of the first.
  func follow(_ method: String, _ pump: Task<Void, Never>) { pumps.updateValue(pump, forKey: method)?.cancel() }

  func stopPumps() {
    for pump in pumps.values { pump.cancel() }
    pumps = [:]
  }

  func end() {
    stopPumps()
    session.end()
    close(descriptor)
  }
}
