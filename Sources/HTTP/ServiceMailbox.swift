import CLinux
import CamrigModel
import Glibc

/// Work for the thread of a service, left by others. libwebsockets allows no other thread to do anything itself.
final class ServiceMailbox<Loop>: Sendable {
  typealias Order = @Sendable (Loop) -> Void

  /// Readable while there is work.
  let descriptor: Int32
  private let orders = Guarded<[Order]?>([])

  init?() {
    descriptor = cl_eventfd()
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// In their order. Nothing happens once the service has ended.
  func post(_ order: @escaping Order) {
    let isFirst = orders.withLock { orders in
      orders?.append(order)
      return orders?.count == 1
    }
    if isFirst { eventfd_write(descriptor, 1) }
  }

  func take() -> [Order] {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return orders.withLock { orders in
      defer { if orders != nil { orders = [] } }
      return orders ?? []
    }
  }

  /// Drops what waits and all that comes.
  func shut() { orders.withLock { $0 = nil } }
}
