import CLinux
import CamrigModel
import Glibc

/// Sockets on which all is said while their clients may still be sending: to close them now could take the answer away
/// from its reader (RFC 9112, 9.6). What comes is thrown away, within bounds of number, bytes and time.
///
/// libwebsockets has closed them already, each is a duplicate: it could not throw bytes away without taking them for a
/// request, nor leave them without spinning. Belongs to the server's thread.
package final class LastWords {
  /// At once; beyond it the oldest one goes.
  package static let most = 64
  /// Thrown away of one of them.
  package static let mostBytes = 4 << 20

  private struct Socket {
    let id: UInt64
    let descriptor: Int32
    let until: MediaTime
    var left: Int
  }

  private let epoll: Int32
  private let firstID: UInt64
  private let patience: Duration
  private var next: UInt64 = 0
  /// The oldest first.
  private var sockets: [Socket] = []
  /// A timerfd that goes off for the oldest one; -1: there is none.
  package let timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))

  /// - Parameter firstID: what `epoll` is told for the first one; counted up from there.
  package init(epoll: Int32, firstID: UInt64, patience: Duration) {
    self.epoll = epoll
    self.firstID = firstID
    self.patience = patience
  }

  deinit {
    for socket in sockets { close(socket.descriptor) }
    if timer >= 0 { close(timer) }
  }

  package var count: Int { sockets.count }

  /// Keeps the connection of `descriptor` until its client has closed; its owner may close it.
  package func keep(_ descriptor: Int32) {
    // Without a descriptor to spare an answer may be lost to who sends on; nothing else.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return }
    let id = firstID + next
    next += 1
    guard cl_epoll_set(epoll, EPOLL_CTL_ADD, copy, EPOLLIN.rawValue, id) == 0 else {
      close(copy)
      return
    }
    if sockets.count == Self.most { end(0) }
    sockets.append(
      Socket(id: id, descriptor: copy, until: SystemClock().now + patience, left: Self.mostBytes))
    if sockets.count == 1 { wake(in: patience) }
  }

  /// epoll has said so of `id`. What is read goes to `scratch`.
  package func ready(_ id: UInt64, _ scratch: UnsafeMutableRawBufferPointer) {
    guard let index = sockets.firstIndex(where: { $0.id == id }) else { return }
    let count = cl_read(sockets[index].descriptor, scratch.baseAddress, scratch.count)
    if count == -Int(EAGAIN) { return }
    sockets[index].left -= max(0, count)
    if count <= 0 || sockets[index].left <= 0 { end(index) }
  }

  package func timerWent() {
    var times: UInt64 = 0
    Glibc.read(timer, &times, 8)
    let now = SystemClock().now
    while let first = sockets.first, first.until <= now { end(0) }
    if let first = sockets.first { wake(in: first.until - now) }
  }

  private func end(_ index: Int) { close(sockets.remove(at: index).descriptor) }

  private func wake(in delay: Duration) {
    // Zero would stop it.
    let (seconds, attoseconds) = max(delay, .milliseconds(1)).components
    var time = itimerspec()
    time.it_value.tv_sec = Int(seconds)
    time.it_value.tv_nsec = Int(attoseconds / 1_000_000_000)
    timerfd_settime(timer, 0, &time, nil)
  }
}
