import CamrigModel

/// Whoever waits for an answer, until somebody gives it: the one who was asked, or the one who waits no longer.
package final class FirstAnswer<Answer: Sendable>: Sendable {
  private let waiting: Guarded<CheckedContinuation<Answer?, Never>?>

  package init(_ continuation: CheckedContinuation<Answer?, Never>) { waiting = Guarded(continuation) }

  package var isAwaited: Bool { waiting.withLock { $0 != nil } }

  /// False: it was too late. Nil: there is none.
  @discardableResult
  package func give(_ answer: Answer?) -> Bool {
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(returning: answer)
    return continuation != nil
  }
}
