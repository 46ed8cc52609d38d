import Glibc

/// Since when a volume has been asked for something and has not answered. For the threads of one writer, or reader.
package final class VolumeWait: Sendable {
  private let calls = Guarded<(next: Int, begun: [Int: MediaTime])>((0, [:]))

  package init() {}

  /// Of what the longest call waits by now; nil: none is under way. In real time, whatever clock the rig has.
  package var length: Duration? {
    let now = SystemClock().now
    return calls.withLock { $0.begun.values.min() }.map { now - $0 }
  }

  package func during<Result, Failure: Error>(_ call: () throws(Failure) -> Result) throws(Failure) -> Result {
    let begun = SystemClock().now
    let number = calls.withLock { calls in
      calls.next += 1
      calls.begun[calls.next] = begun
      return calls.next
    }
    defer {
      // The call's, which whoever made it may ask for.
      let code = errno
      calls.withLock { $0.begun[number] = nil }
      errno = code
    }
    return try call()
  }
}
