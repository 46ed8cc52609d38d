import CLinux
import CamrigModel
import Glibc

/// Wakes a thread that waits in `poll`. Signalled by anybody, drained by that thread.
package final class WakeEvent: Sendable {
  package let descriptor: Int32

  package init() throws(CaptureError) {
    descriptor = cl_eventfd()
    guard descriptor >= 0 else { throw .noResources(what: "event descriptor", errno: -descriptor) }
  }

  deinit { close(descriptor) }

  package func signal() {
    var one: UInt64 = 1
    // Only a full counter is refused, and then the thread is woken already.
    _ = write(descriptor, &one, 8)
  }

  /// True if it was signalled since the last time.
  @discardableResult
  package func drain() -> Bool {
    var count: UInt64 = 0
    return read(descriptor, &count, 8) == 8
  }

  /// Returns when signalled (and drains) or after `timeout`.
  package func wait(atMost timeout: Duration) {
    var waits = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&waits, 1, Int32(max(0, min((timeout.inNanoseconds &+ 999_999) / 1_000_000, 3_600_000))))
    drain()
  }
}

/// How a capture thread waits between two tries. Tests pass one that moves their clock.
package protocol CaptureSleeper: Sendable {
  /// Returns after `timeout` or when `wake` is signalled, which it drains.
  func wait(atMost timeout: Duration, wake: WakeEvent)
}

package struct PollSleeper: CaptureSleeper {
  package init() {}
  package func wait(atMost timeout: Duration, wake: WakeEvent) { wake.wait(atMost: timeout) }
}
