import CamrigModel
import DaemonKit
import Dispatch

/// Whether a volume gives in time what is read from it. One look follows the other while something is read, so that a piece
/// costs no timer of its own.
final class ReadingWatch: Sendable {
  private struct State {
    /// Something is being read since then.
    var since: MediaTime?
    /// Somebody will look whether it comes in time.
    var isWatched = false
  }

  private let patience: Duration
  private let state = Guarded(State())

  init(_ volume: Volume) { patience = volume.reading.patience }

  /// - Parameter silent: the same each time; called from any thread when what is being read has not come within the volume's
  ///   patience.
  func begin(silent: @escaping @Sendable () -> Void) {
    let now = SystemClock().now
    let isNew = state.withLock { state in
      state.since = now
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if isNew { look(after: patience, silent) }
  }

  func end() { state.withLock { $0.since = nil } }

  private func look(after delay: Duration, _ silent: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(delay.inNanoseconds))) { [weak self] in
      self?.look(silent)
    }
  }

  private func look(_ silent: @escaping @Sendable () -> Void) {
    enum Step { case rest, again(Duration), end }
    let now = SystemClock().now
    let step = state.withLock { state -> Step in
      guard let since = state.since, patience - (now - since) > .zero else {
        state.isWatched = false
        return state.since == nil ? .rest : .end
      }
      return .again(patience - (now - since))
    }
    switch step {
    case .rest: break
    case .again(let left): look(after: left, silent)
    case .end: silent()
    }
  }
}
