import CamrigModel
import Dispatch

/// A reader's bounded queue: never skips silently. A picture that finds it full becomes a `.lost` with cause
/// `queueOverflow` in its place, so the reader's account stays exact. One thread reads; the hub's publisher writes.
package final class FrameQueue: Sendable {
  private struct State {
    var items: [StreamItem] = []
    var bytes = 0
    var closed = false
    var waiting = false
    /// Wakes the reader only when the pictures in the queue span this much.
    var wakeSpan: Duration = .zero
    var firstTime: MediaTime?
  }

  private let state = Guarded(State())
  private let wake = DispatchSemaphore(value: 0)
  private let capacityBytes: Int
  private let capacity: Duration

  /// - Parameters:
  ///   - capacity: time from the oldest to the newest picture that waits.
  ///   - capacityBytes: bytes of the pictures that wait.
  package init(capacity: Duration, capacityBytes: Int) {
    self.capacity = capacity
    self.capacityBytes = capacityBytes
  }

  package func offer(_ item: StreamItem) {
    let mustWake = state.withLock { state -> Bool in
      guard !state.closed else { return false }
      var urgent = true
      switch item {
      case .frame(let frame):
        urgent = false
        if overflows(frame, state) {
          append(overflow: frame, &state)
        } else {
          state.bytes += frame.byteCount
          if state.firstTime == nil { state.firstTime = frame.presentationTime }
          state.items.append(item)
          if let first = state.firstTime, frame.presentationTime - first >= state.wakeSpan { urgent = true }
        }
      case .lost: urgent = false; state.items.append(item)
      case .started, .ended: state.items.append(item)
      }
      guard urgent, state.waiting else { return false }
      state.waiting = false
      return true
    }
    if mustWake { wake.signal() }
  }

  /// All that waits, oldest first, and empties the queue. Blocks until the pictures span `span`, a run starts or
  /// ends, the queue is closed, or `timeout` has passed (then perhaps an empty array). Nil: closed and empty.
  package func take(span: Duration = .zero, timeout: Duration) -> [StreamItem]? {
    let ready = state.withLock { state -> Bool in
      state.wakeSpan = span
      state.waiting = !(state.closed || isReady(state, span))
      return !state.waiting
    }
    if !ready {
      _ = wake.wait(timeout: .now() + .nanoseconds(Int(timeout.inNanoseconds)))
    }
    return state.withLock { state in
      if state.waiting {
        state.waiting = false
      } else if !ready {
        // Woken, or signalled just as the time ran out: then the signal is still there and must not
        // wake a later call.
        _ = wake.wait(timeout: .now())
      }
      if state.items.isEmpty, state.closed { return nil }
      let items = state.items
      state.items = []
      state.items.reserveCapacity(items.count)
      state.bytes = 0
      state.firstTime = nil
      return items
    }
  }

  /// No item is taken any more; what waits can still be read.
  package func close() {
    let mustWake = state.withLock { state -> Bool in
      state.closed = true
      defer { state.waiting = false }
      return state.waiting
    }
    if mustWake { wake.signal() }
  }

  private func isReady(_ state: State, _ span: Duration) -> Bool {
    guard let first = state.items.first else { return false }
    if span == .zero { return true }
    _ = first
    for item in state.items {
      switch item {
      case .started, .ended: return true
      case .frame(let frame):
        if let first = state.firstTime, frame.presentationTime - first >= span { return true }
      case .lost: continue
      }
    }
    return false
  }

  private func overflows(_ frame: Frame, _ state: State) -> Bool {
    if state.bytes + frame.byteCount > capacityBytes, state.bytes > 0 { return true }
    if let first = state.firstTime, frame.presentationTime - first > capacity { return true }
    return false
  }

  private func append(overflow frame: Frame, _ state: inout State) {
    if case .lost(let last)? = state.items.last, last.cause == .queueOverflow, last.run == frame.run,
      last.firstSequence + last.count == frame.sequence
    {
      state.items[state.items.count - 1] = .lost(
        Loss(
          cause: .queueOverflow, run: last.run, firstSequence: last.firstSequence, count: last.count + 1,
          time: last.time))
      return
    }
    state.items.append(
      .lost(
        Loss(
          cause: .queueOverflow, run: frame.run, firstSequence: frame.sequence, count: 1,
          time: frame.presentationTime)))
  }
}
