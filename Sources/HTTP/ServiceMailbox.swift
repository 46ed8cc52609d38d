import CLinux
import CamrigModel
import Glibc
import Synchronization

/// Work for the thread of a service, left by others. libwebsockets allows no other thread to do anything itself.
final class ServiceMailbox<Loop>: Sendable {
  typealias Order = @Sendable (Loop) -> Void

  /// Readable while there is work.
  let descriptor: Int32
  private let orders = Guarded<[Order]?>([])
  private let turnCount = Atomic<Int>(0)

  /// How often the thread has looked for work: many more than there was work for are a loop that spins.
  var turns: Int { turnCount.load(ordering: .relaxed) }
  func countTurn() { turnCount.add(1, ordering: .relaxed) }

  init?() {
    descriptor = cl_eventfd()
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// In their order. False where the service has ended: then nobody will.
  @discardableResult
  func post(_ order: @escaping Order) -> Bool {
    let count = orders.withLock { orders in
      orders?.append(order)
      return orders?.count
    }
    if count == 1 { eventfd_write(descriptor, 1) }
    return count != nil
  }

  func take() -> [Order] {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return orders.withLock { orders in
      defer { if orders != nil { orders = [] } }
      return orders ?? []
    }
  }

  /// Takes nothing more; what was left.
  @discardableResult
  func shut() -> [Order] {
    orders.withLock { orders in
      defer { orders = nil }
      return orders ?? []
    }
  }
}
