import CamrigModel
import Dispatch
import Glibc

/// How full a volume is, for whoever must not wait: a volume that hangs is asked once, and until it answers everybody
/// hears that it does not.
package final class VolumeSpace: Sendable {
  private struct State {
    var isAsking = false
    /// The answer to the question that is out was waited for in vain.
    var isLate = false
    var lastNumber = 0
    var waiting: [Int: CheckedContinuation<DiskState, Never>] = [:]
  }

  private let state = Guarded(State())
  private let queue = DispatchQueue(label: "camrig.space", qos: .utility)
  private let patience: Duration
  private let read: @Sendable () -> DiskState

  /// - Parameter read: may block for ever.
  package init(patience: Duration = .milliseconds(300), read: @escaping @Sendable () -> DiskState) {
    self.patience = patience
    self.read = read
  }

  /// `.failed(ETIMEDOUT)` for a volume that does not answer.
  package func ask() async -> DiskState {
    await withCheckedContinuation { continuation in
      enum Step { case late, wait(Int, mustAsk: Bool) }
      let step = state.withLock { state -> Step in
        if state.isLate { return .late }
        state.lastNumber += 1
        state.waiting[state.lastNumber] = continuation
        defer { state.isAsking = true }
        return .wait(state.lastNumber, mustAsk: !state.isAsking)
      }
      switch step {
      case .late: continuation.resume(returning: .failed(ETIMEDOUT))
      case .wait(let number, let mustAsk):
        if mustAsk { queue.async { self.answer(self.read()) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(patience.inNanoseconds))) {
          self.giveUp(number)
        }
      }
    }
  }

  private func answer(_ answer: DiskState) {
    let waiting = state.withLock { state in
      state.isAsking = false
      state.isLate = false
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: answer) }
  }

  private func giveUp(_ number: Int) {
    let waiting = state.withLock { state in
      let waiting = state.waiting.removeValue(forKey: number)
      if waiting != nil { state.isLate = true }
      return waiting
    }
    waiting?.resume(returning: .failed(ETIMEDOUT))
  }
}
