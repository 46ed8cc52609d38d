import CamrigModel
import CLinux
import Glibc

/// A thread with a name, for work that blocks. Whoever starts it joins it.
package final class Worker: Sendable {
  package let name: String
  private let thread: Guarded<pthread_t?>

  /// `name` is what `ps -L` shows, 15 bytes at most. `body` runs at once.
  package init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(DaemonError) {
    self.name = name
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var id = pthread_t()
    let code = pthread_create(&id, nil, runWorker, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw .thread(name, code)
    }
    thread = Guarded(id)
  }

  /// Waits for the end of `body`. Once; a second call returns at once. Not from within `body`.
  package func join() {
    let id = thread.withLock { id in
      defer { id = nil }
      return id
    }
    guard let id else { return }
    precondition(pthread_equal(id, pthread_self()) == 0, "a worker cannot wait for itself")
    pthread_join(id, nil)
  }

  /// Sends a signal to this thread alone; nothing when it was joined.
  package func signal(_ number: Int32) {
    thread.withLock { id in
      if let id { pthread_kill(id, number) }
    }
  }

  // Only for the way out of an error, where nobody is left to wait: a thread neither joined nor detached never goes.
  deinit {
    thread.withLock { id in
      if let id { pthread_detach(id) }
    }
  }
}

private final class Start: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}

private func runWorker(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  let start = Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
  cl_thread_begin(start.name)
  start.body()
  return nil
}
