import CLinux
import CamrigModel
import Glibc

/// A thread of its own for one camera. It blocks in calls that a sick camera may answer after seconds, so it must
/// not be one of the few that run actors.
final class CaptureThread: Sendable {
  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void
    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Nil once joined.
  private let thread: Guarded<pthread_t?>

  /// - Parameter name: for ps and gdb; the first 15 bytes are shown.
  init(name: String, body: @escaping @Sendable () -> Void) throws(CaptureError) {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(name, body))
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        cl_thread_begin(start.name)
        start.body()
        return nil
      }, start.toOpaque())
    guard result == 0 else {
      start.release()
      throw .noResources(what: "thread", errno: result)
    }
    self.thread = Guarded(thread)
  }

  deinit { thread.withLock { if let thread = $0 { pthread_detach(thread) } } }

  /// Waits for its end. Idempotent; a thread that calls it for itself returns at once.
  func join() {
    let handle = thread.withLock { thread -> pthread_t? in
      guard let handle = thread, pthread_equal(handle, pthread_self()) == 0 else { return nil }
      thread = nil
      return handle
    }
    if let handle { pthread_join(handle, nil) }
  }
}
