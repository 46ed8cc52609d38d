import CLinux
import CamrigModel

/// As long as one of these lives, memory that the process frees stays with it. libjpeg takes room for all of a picture's
/// coefficients, before and after turning, and frees it with the picture (17 MB of 1080p): to have it from the kernel
/// each time, zeroed, was a third of what turning costs.
final class KeptMemory: Sendable {
  private static let users = Guarded(0)

  init() { Self.count(1) }

  deinit { Self.count(-1) }

  private static func count(_ change: Int) {
    users.withLock { users in
      let was = users
      users += change
      if (was == 0) != (users == 0) { cl_keep_freed_memory(users > 0 ? 1 : 0) }
    }
  }
}
