import CamrigModel
import Synchronization

/// A worker's sign of life. It says before each piece of work how long that may last; the supervisor only compares.
/// Beating costs an atomic store: fit for every turn of a loop.
package final class Heartbeat: Sendable {
  package let name: String
  private let limit: Duration
  private let clock: any RigClock
  /// When it must have moved again, in nanoseconds of the clock; `Int64.max` while it waits.
  private let deadline = Atomic<Int64>(.max)

  /// Waiting at first. `limit` is how long a turn of this worker may last at worst, a slow disk included.
  package init(_ name: String, limit: Duration, clock: any RigClock) {
    self.name = name
    self.limit = limit
    self.clock = clock
  }

  /// It has moved, and works on.
  package func beat() { busy(limit: limit) }

  /// It begins something that may last `limit`, however long its turns are else.
  package func busy(limit: Duration) {
    deadline.store((clock.now + limit).nanoseconds, ordering: .relaxed)
  }

  /// It waits for something to do; that may last for ever.
  package func idle() { deadline.store(.max, ordering: .relaxed) }

  func overdue(at now: MediaTime) -> Duration? {
    let deadline = deadline.load(ordering: .relaxed)
    return now.nanoseconds > deadline ? now - MediaTime(nanoseconds: deadline) : nil
  }
}
