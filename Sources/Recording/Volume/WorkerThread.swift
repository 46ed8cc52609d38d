import CLinux
import CamrigModel
import DaemonKit
import Dispatch
import Glibc

/// A thread of its own for what may block as long as a volume does: Swift's shared threads are as few as there are
/// processors, and one slow disk must not hold up the rest.
enum WorkerThread {
  private final class Work {
    let name: String
    let body: @Sendable () -> Void
    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// - Parameter name: for ps and gdb, 15 bytes at most.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(name, body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 512 << 10)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, &attributes,
      { pointer in
        guard let pointer else { return nil }
        let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
        cl_thread_begin(work.name)
        work.body()
        return nil
      }, work.toOpaque())
    precondition(result == 0, "the system refuses a thread; see TasksMax= of the service")
  }

  /// Like `run`, but nil when `body` has not ended within `limit`; what it gives then goes to `late`.
  static func run<R: Sendable>(
    _ name: String, within limit: Duration, late: @escaping @Sendable (R) -> Void,
    _ body: @escaping @Sendable () -> R
  ) async -> R? {
    await withCheckedContinuation { continuation in
      let answer = FirstAnswer(continuation)
      start(name) {
        let result = body()
        if !answer.give(result) { late(result) }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(limit.inNanoseconds))) {
        answer.give(nil)
      }
    }
  }

  /// Runs `body` on such a thread and waits for it without holding one of Swift's.
  static func run<R: Sendable>(_ name: String, _ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
      start(name) { continuation.resume(returning: body()) }
    }
  }
}
