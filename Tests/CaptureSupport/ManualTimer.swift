import CamrigModel
import Capture
import TestSupport

/// Runs out when the test says so.
package final class ManualTimer: RegistryTimer {
  private let waiting = Guarded<[(length: Duration, continuation: CheckedContinuation<Void, Never>)]>([])

  package init() {}

  package func wait(_ length: Duration) async {
    await withCheckedContinuation { continuation in waiting.withLock { $0.append((length, continuation)) } }
  }

  /// Ends all waits of this length; suspends until there is one.
  package func expire(_ length: Duration) async {
    await eventually { self.waiting.withLock { waits in waits.contains { $0.length == length } } }
    let ended = waiting.withLock { waits in
      let ended = waits.filter { $0.length == length }
      waits.removeAll { $0.length == length }
      return ended
    }
    for wait in ended { wait.continuation.resume() }
  }

  package func isWaiting(_ length: Duration) -> Bool {
    waiting.withLock { waits in waits.contains { $0.length == length } }
  }

  /// So that no test leaves a task that waits for ever.
  package func expireAll() {
    let ended = waiting.withLock { waits in
      defer { waits = [] }
      return waits
    }
    for wait in ended { wait.continuation.resume() }
  }
}
