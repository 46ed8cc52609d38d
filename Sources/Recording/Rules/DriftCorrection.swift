import CamrigModel

/// How much faster or slower a microphone's sound is to be played so that it stays on the rig's clock, whatever the
/// microphone's own clock does. A control loop over the error, so slow that nobody hears it work.
package struct DriftCorrection: Sendable {
  /// A clock that is further off has another rate, and its runs say so.
  package static let rateLimit = 0.01
  /// From the microphone's rate the ratio differs by no more: a semitone is 6 %, this is a tenth of it.
  package static let pullLimit = 0.005

  // Critically damped with a period of 25 s: a clock that is off by 500 ppm from the start leads to an error of 1 ms.
  private static let proportional = 0.5
  private static let integral = 0.0625
  /// Time stamps jitter; what is shorter is not followed.
  private static let smoothing = 0.5

  /// What the microphone's clock is off by, as found so far.
  private var rate = 0.0
  private var smoothed = 0.0
  package private(set) var ratio = 1.0

  package init() {}

  /// - Parameters:
  ///   - error: by how much the sound's next sample frame is later than the place where it would be put: more of them
  ///     are needed then.
  ///   - elapsed: sound since the last call.
  package mutating func update(error: Duration, elapsed: Duration) -> Double {
    let (error, elapsed) = (error.inSeconds, min(elapsed.inSeconds, Self.smoothing))
    smoothed += (error - smoothed) * elapsed / Self.smoothing
    rate = Self.limit(rate + smoothed * Self.integral * elapsed, Self.rateLimit)
    ratio = 1 + rate + Self.limit(smoothed * Self.proportional, Self.pullLimit)
    return ratio
  }

  /// The sound goes on elsewhere; the microphone's clock is the same.
  package mutating func restart() {
    smoothed = 0
    ratio = 1 + rate
  }

  private static func limit(_ value: Double, _ limit: Double) -> Double { min(max(value, -limit), limit) }
}
