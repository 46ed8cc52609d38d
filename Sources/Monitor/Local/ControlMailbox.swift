import CamrigModel
import CLinux
import Glibc

/// Where tasks leave word for the thread of the control server, and wake it.
final class ControlMailbox: Sendable {
  struct Content {
    /// Answers, at most one a connection: it has one request under way.
    var replies: [(connection: UInt64, reply: RPCReply)] = []
    /// Answers to requests that their connection did not wait for.
    var late: [(connection: UInt64, response: RPCResponse?)] = []
    /// Connections whose outbox was filled.
    var filled: Set<UInt64> = []
    var isStopping = false
  }

  let descriptor: Int32
  private let content = Guarded(Content())

  init?() {
    descriptor = cl_eventfd()
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  func reply(_ reply: RPCReply, to connection: UInt64) {
    content.withLock { $0.replies.append((connection, reply)) }
    wake()
  }

  /// - Parameter response: nil: nobody wants to hear of it.
  func answerLater(_ response: RPCResponse?, to connection: UInt64) {
    content.withLock { $0.late.append((connection, response)) }
    wake()
  }

  func filled(_ connection: UInt64) {
    if content.withLock({ $0.filled.insert(connection).inserted }) { wake() }
  }

  func stop() {
    content.withLock { $0.isStopping = true }
    wake()
  }

  func take() -> Content {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return content.withLock { content in
      defer { content = Content(isStopping: content.isStopping) }
      return content
    }
  }

  private func wake() { eventfd_write(descriptor, 1) }
}
