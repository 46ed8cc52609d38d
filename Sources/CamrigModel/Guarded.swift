import Glibc

/// A value behind a lock, used like `Synchronization.Mutex`. That one waits in the Swift library by futex, which
/// Thread Sanitizer does not see: as soon as two threads meet in it, it reports races that are none. This one is a
/// `pthread_mutex_t`, at the same cost.
///
/// `@unchecked`: the value is reached through `withLock` only.
package struct Guarded<Value>: ~Copyable, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  package init(_ value: sending Value) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Not to be called again for the same value inside `body`.
  package borrowing func withLock<R, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }
}
