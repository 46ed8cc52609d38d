import CLinux
import CamrigModel
import DaemonKit
import Glibc

/// Reads files for those who may not wait for a disk: a volume that hangs holds up the downloads, and neither previews
/// nor anybody's wishes. Sleeps while nothing is read.
final class FileThread: Sendable {
  private struct State {
    var orders: [@Sendable () -> Void] = []
    var isOver = false
  }

  private final class Shared: Sendable {
    let descriptor = cl_eventfd()
    let state = Guarded(State())

    deinit { close(descriptor) }

    func run() {
      while true {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, -1) < 0, errno != EINTR { return }
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        let (orders, isOver) = state.withLock { state in
          defer { state.orders = [] }
          return (state.orders, state.isOver)
        }
        if isOver { return }
        for order in orders { order() }
      }
    }
  }

  private let shared = Shared()
  private let worker: Worker

  init(name: String) throws(DaemonError) {
    let shared = shared
    guard shared.descriptor >= 0 else { throw .descriptor("the reader of files", -shared.descriptor) }
    worker = try Worker(name) { shared.run() }
  }

  // Not waited for: it may be with a volume that hangs.
  deinit {
    shared.state.withLock { $0.isOver = true }
    eventfd_write(shared.descriptor, 1)
  }

  func perform(_ order: @escaping @Sendable () -> Void) {
    shared.state.withLock { $0.orders.append(order) }
    eventfd_write(shared.descriptor, 1)
  }
}
