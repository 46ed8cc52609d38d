import CamrigModel

/// Hands each event to every subscriber without waiting for any. A subscriber that does not keep up loses the
/// oldest of its waiting events, and is told so in their place: it must ask for the whole state anew then.
package final class EventBus: Sendable {
  private struct State {
    var next = 0
    var subscribers: [Int: EventQueue] = [:]
    var finished = false
  }

  /// More than a busy second of any rig.
  private static let mostWaiting = 512

  private let state = Guarded(State())

  package init() {}

  package func publish(_ event: RigEvent) {
    let subscribers = state.withLock { Array($0.subscribers.values) }
    for subscriber in subscribers { subscriber.put(event) }
  }

  /// Ends at `finish`.
  package func subscribe() -> EventFeed {
    let queue = EventQueue(capacity: Self.mostWaiting)
    let key = state.withLock { state in
      state.next += 1
      if state.finished { queue.finish() } else { state.subscribers[state.next] = queue }
      return state.next
    }
    return EventFeed(queue) { [weak self] in self?.state.withLock { $0.subscribers[key] = nil } }
  }

  package func finish() {
    let subscribers = state.withLock { state in
      state.finished = true
      defer { state.subscribers = [:] }
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers { subscriber.finish() }
  }
}
