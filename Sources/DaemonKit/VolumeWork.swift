import CamrigModel
import Dispatch

/// Work with a volume that takes as long as its files are large, one piece at a time on a thread that may wait for it as long
/// as it likes. Whoever asked for some hears that the volume is silent once a single call to it lasts longer than `patience`,
/// be it of that piece or of one before it.
package final class VolumeWork: Sendable {
  private let path: String
  private let patience: Duration
  private let queue: DispatchQueue
  private let wait = VolumeWait()

  init(_ name: String, path: String, patience: Duration) {
    self.path = path
    self.patience = patience
    queue = DispatchQueue(label: name, qos: .utility)
  }

  package var isSilent: Bool { wait.length.map { $0 > patience } ?? false }

  /// As long as it takes.
  /// - Parameter work: has its calls to the volume timed by what it is given.
  package func perform(_ work: @escaping @Sendable (VolumeWait) -> Void) {
    queue.async { [wait] in work(wait) }
  }

  /// Waits without holding one of Swift's threads. Work that nobody waits for any more is not begun; what has begun cannot be
  /// ended, and nothing else is begun before it has.
  package func result<Result: Sendable>(
    _ work: @escaping @Sendable (VolumeWait) -> Result
  ) async throws(VolumeSilence) -> Result {
    guard !isSilent else { throw VolumeSilence(path: path) }
    let result: Result? = await withCheckedContinuation { continuation in
      let first = FirstAnswer(continuation)
      perform { wait in if first.isAwaited { first.give(work(wait)) } }
      look(for: first, after: patience)
    }
    guard let result else { throw VolumeSilence(path: path) }
    return result
  }

  private func look<Result: Sendable>(for first: FirstAnswer<Result>, after delay: Duration) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(delay.inNanoseconds))) { [self] in
      guard first.isAwaited else { return }
      let left = patience - (wait.length ?? .zero)
      if left < .zero { first.give(nil) } else { look(for: first, after: max(left, .milliseconds(1))) }
    }
  }
}
