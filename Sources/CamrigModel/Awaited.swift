/// A value that comes once, and that somebody waits for.
package final class Awaited<Value: Sendable>: Sendable {
  private enum State {
    case nothing
    case waiting(CheckedContinuation<Value, Never>)
    case here(Value)
  }

  private let state = Guarded(State.nothing)

  package init() {}

  /// The first one counts.
  package func give(_ value: Value) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .here: return nil
      case .nothing:
        state = .here(value)
        return nil
      case .waiting(let continuation):
        state = .here(value)
        return continuation
      }
    }
    waiting?.resume(returning: value)
  }

  /// For one who waits; as soon as it is here.
  package var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let here = state.withLock { state -> Value? in
          switch state {
          case .here(let value): return value
          case .waiting: preconditionFailure("one waits for it, not two")
          case .nothing:
            state = .waiting(continuation)
            return nil
          }
        }
        if let here { continuation.resume(returning: here) }
      }
    }
  }
}
