import CamrigModel

/// Hands each event to every subscriber without waiting for any. A subscriber that does not keep up loses the
/// oldest of its 512 waiting events; it must ask for the whole state anew then.
package final class EventBus: Sendable {
  private struct State {
    var next = 0
    var subscribers: [Int: AsyncStream<RigEvent>.Continuation] = [:]
    var finished = false
  }

  private let state = Guarded(State())

  package init() {}

  package func publish(_ event: RigEvent) {
    let subscribers = state.withLock { Array($0.subscribers.values) }
    for subscriber in subscribers { subscriber.yield(event) }
  }

  /// Ends when the reader stops reading, or at `finish`.
  package func subscribe() -> AsyncStream<RigEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: RigEvent.self, bufferingPolicy: .bufferingNewest(512))
    let key = state.withLock { state -> Int? in
      guard !state.finished else { return nil }
      state.next += 1
      state.subscribers[state.next] = continuation
      return state.next
    }
    guard let key else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.subscribers[key] = nil }
    }
    return stream
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
