import CLinux
import CamrigModel
import DaemonKit
import Glibc

/// The control socket's server: one JSON text a line, many monitors, one thread that sleeps while nobody asks.
package final class ControlServer: Sendable {
  private let mailbox: ControlMailbox
  private let worker: Worker

  /// `accept` gives the next monitor of a listening socket, or -errno; for tests.
  package init(
    _ socket: ControlSocket, handler: any RequestHandler, log: Log, clock: any RigClock = SystemClock(),
    accept: @escaping @Sendable (Int32) -> Int32 = { cl_accept($0) }
  ) throws(MonitorError) {
    guard let mailbox = ControlMailbox(), let epoll = Self.watch(socket, mailbox) else {
      let code = errno
      socket.withdraw()
      throw .failed(socket.path, code)
    }
    self.mailbox = mailbox
    do {
      worker = try Worker("control") {
        ControlLoop(
          socket, epoll: epoll, handler: handler, mailbox: mailbox, log: log, clock: clock, accept: accept
        ).run()
        close(epoll)
        socket.withdraw()
      }
    } catch {
      close(epoll)
      socket.withdraw()
      throw .thread(error.description)
    }
  }

  private static func watch(_ socket: ControlSocket, _ mailbox: ControlMailbox) -> Int32? {
    let epoll = cl_epoll()
    guard epoll >= 0 else { return nil }
    let readable = EPOLLIN.rawValue
    if cl_epoll_set(epoll, EPOLL_CTL_ADD, socket.descriptor, readable, ControlLoop.ID.listener) == 0,
      cl_epoll_set(epoll, EPOLL_CTL_ADD, mailbox.descriptor, readable, ControlLoop.ID.mailbox) == 0
    {
      return epoll
    }
    close(epoll)
    return nil
  }

  /// Closes every connection and takes the socket away. Answers that are ready are sent first, as far as their
  /// readers take them at once.
  package func stop() {
    mailbox.stop()
    worker.join()
  }
}
