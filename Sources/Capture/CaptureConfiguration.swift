import CamrigModel

/// How cameras are run: the administrator's choices, the same for all of them.
package struct CaptureConfiguration: Hashable, Sendable {
  /// How far back a take may begin.
  package var prerollLength: Duration = .seconds(5)
  /// The most memory a camera's pre-roll takes, whatever its length.
  package var prerollCapacityBytes = 64 << 20
  /// How long a camera stays open that nobody wants any more.
  package var graceTime: Duration = .seconds(10)
  /// Buffers in the driver; 8 bridge a quarter of a second at 30 frames a second.
  package var bufferCount = 8
  /// If the format that was chosen does not fit on the bus, the next smaller one is tried.
  package var allowSmallerFormats = true
  package var target = FormatTarget()
  package var stall = StallLimits()

  package init() {}
}

/// When silence becomes a stall, and when a restart. The larger of the two values counts each time.
package struct StallLimits: Hashable, Sendable {
  package var stalledAfterFrames = 3
  package var stalledAfter: Duration = .milliseconds(500)
  package var restartAfterFrames = 10
  package var restartAfter: Duration = .seconds(3)

  package init() {}
}
