import CamrigModel

/// What one subscriber has not read yet. Bounded: the oldest go first, and how many is read in their place. One reader.
final class EventQueue: Sendable {
  private struct State {
    var waiting: [RigEvent] = []
    /// Dropped before the first of those that wait.
    var lost: UInt64 = 0
    var hasEnded = false
    var reader: CheckedContinuation<RigEvent?, Never>?
  }

  private let state = Guarded(State())
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  func put(_ event: RigEvent) {
    let reader = state.withLock { state -> CheckedContinuation<RigEvent?, Never>? in
      guard !state.hasEnded else { return nil }
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      if state.waiting.count >= capacity { state.lost += state.waiting.removeFirst().count }
      state.waiting.append(event)
      return nil
    }
    reader?.resume(returning: event)
  }

  /// Nothing more comes; what waits can still be read.
  func finish() {
    let reader = state.withLock { state in
      state.hasEnded = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// Nil once it has ended and is read, or the task was cancelled.
  func next() async -> RigEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enum Step { case answer(RigEvent?), wait }
        let step = state.withLock { state -> Step in
          if state.lost > 0 {
            defer { state.lost = 0 }
            return .answer(.eventsLost(state.lost))
          }
          if !state.waiting.isEmpty { return .answer(state.waiting.removeFirst()) }
          if state.hasEnded { return .answer(nil) }
          precondition(state.reader == nil, "events have one reader")
          state.reader = continuation
          return .wait
        }
        if case .answer(let event) = step { continuation.resume(returning: event) }
      }
    } onCancel: {
      abandon()
    }
  }

  private func abandon() {
    state.withLock { state in
      state.waiting = []
      state.lost = 0
    }
    finish()
  }
}

extension RigEvent {
  /// How many events it stands for.
  fileprivate var count: UInt64 { if case .eventsLost(let count) = self { count } else { 1 } }
}
