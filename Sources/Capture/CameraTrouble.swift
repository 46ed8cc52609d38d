import CamrigModel

/// What keeps a plugged-in camera from giving pictures, until it gives some.
package struct CameraTrouble: Hashable, Sendable {
  package let state: CameraState
  package let cause: CameraCause
  package let message: String

  package init(_ state: CameraState, _ cause: CameraCause, _ message: String) {
    self.state = state
    self.cause = cause
    self.message = message
  }

  init(_ state: CameraState, _ error: CaptureError) { self.init(state, error.cause, error.description) }
}

/// How long after a trouble the next try waits.
struct RetryPlan: Hashable, Sendable {
  /// udev needs a moment to make a new node ours.
  private static let settleTime: Duration = .seconds(5)

  private var backoff = Backoff(first: .seconds(1), most: .seconds(10))
  private var kind: CaptureError.Trouble?
  private(set) var isStall = false

  /// Vain tries of the present kind.
  var tries: Int { backoff.tries }

  /// The wait before the next try, and whether the trouble is to be shown.
  mutating func next(_ trouble: CaptureError.Trouble, sinceAttached: Duration) -> (wait: Duration, isShown: Bool) {
    if kind != trouble || isStall {
      kind = trouble
      isStall = false
      backoff =
        switch trouble {
        case .busy, .unplugged: Backoff(first: .milliseconds(500), most: .seconds(10))
        // Who switches a camera on at a capture card wants to see it within three seconds.
        case .noSignal: Backoff(first: .milliseconds(500), most: .seconds(2))
        case .notYetOurs: Backoff(first: .milliseconds(100), most: .seconds(10))
        case .bandwidth, .startRefused, .other: Backoff(first: .seconds(1), most: .seconds(10))
        }
    }
    let isFresh = trouble == .notYetOurs && sinceAttached < Self.settleTime
    let wait = backoff.next()
    return (isFresh ? min(wait, .seconds(1)) : wait, !isFresh)
  }

  /// The first restart of a stream is made at once.
  mutating func nextAfterStall() -> Duration {
    if !isStall {
      isStall = true
      kind = nil
      backoff = Backoff(first: .seconds(1), most: .seconds(10))
      return .zero
    }
    return backoff.next()
  }

  mutating func reset() { self = RetryPlan() }
}
