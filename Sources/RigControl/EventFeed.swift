/// A subscriber's end of the event bus. It is subscribed as long as it lives.
package final class EventFeed: AsyncSequence, Sendable {
  private let queue: EventQueue
  private let left: @Sendable () -> Void

  init(_ queue: EventQueue, left: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.left = left
  }

  deinit { left() }

  /// The next event, waiting for it; nil at the end, or when the task is cancelled. Not to be called twice at once.
  package func next() async -> RigEvent? { await queue.next() }

  package struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let feed: EventFeed
    package func next() async -> RigEvent? { await feed.next() }
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed: self) }
}
