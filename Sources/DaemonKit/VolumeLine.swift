import CamrigModel
import Dispatch

/// Work with a volume, one piece at a time on a thread that may wait for it as long as it likes. Once a piece has taken
/// longer than `patience`, whoever asks hears at once that the volume is silent, until it has answered.
package final class VolumeLine: Sendable {
  /// Questions at once; beyond them a volume is as good as silent.
  private static let most = 256

  private struct State {
    /// When the piece at work was begun.
    var begun: MediaTime?
    var questions = 0
  }

  package let patience: Duration
  private let path: String
  private let queue: DispatchQueue
  private let state = Guarded(State())

  init(_ name: String, path: String, patience: Duration) {
    self.path = path
    self.patience = patience
    queue = DispatchQueue(label: name, qos: .utility)
  }

  package var isSilent: Bool {
    let now = SystemClock().now
    return state.withLock { state in state.begun.map { now - $0 > patience } ?? false }
  }

  /// Whoever gives work knows what to do if it is not done.
  package func perform(_ work: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      state.withLock { $0.begun = SystemClock().now }
      work()
      state.withLock { $0.begun = nil }
    }
  }

  /// Waits without holding one of Swift's threads. A question that nobody waits for any more is not put.
  /// - Parameter limit: nil: the line's patience.
  package func ask<Answer: Sendable>(
    within limit: Duration? = nil, _ question: @escaping @Sendable () -> Answer
  ) async throws(VolumeSilence) -> Answer {
    let isCrowded = state.withLock { state in
      state.questions += 1
      return state.questions > Self.most
    }
    defer { state.withLock { $0.questions -= 1 } }
    guard !isCrowded, !isSilent else { throw VolumeSilence(path: path) }
    let answer: Answer? = await withCheckedContinuation { continuation in
      let first = FirstAnswer(continuation)
      perform { if first.isAwaited { first.give(question()) } }
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int((limit ?? patience).inNanoseconds))) {
        first.give(nil)
      }
    }
    guard let answer else { throw VolumeSilence(path: path) }
    return answer
  }
}
