import CamrigModel

/// The sample frames of a take's sound: number n is at `origin` + n / `rate`, and the same for all its microphones and
/// clips. Numbers before the take's start (pre-roll) are negative.
package struct SoundGrid: Hashable, Sendable {
  package static let rate = 48_000

  package let origin: MediaTime

  package init(origin: MediaTime) { self.origin = origin }

  /// The sample frame nearest to `time`.
  package func index(_ time: MediaTime) -> Int64 {
    // In two parts: the product of days in nanoseconds and the rate has more than 64 bits.
    let length = time.nanoseconds &- origin.nanoseconds
    let (seconds, rest) = Self.divide(length, 1_000_000_000)
    return seconds &* Int64(Self.rate) &+ (rest &* Int64(Self.rate) &+ 500_000_000) / 1_000_000_000
  }

  package func time(_ index: Int64) -> MediaTime {
    let (seconds, rest) = Self.divide(index, Int64(Self.rate))
    return MediaTime(
      nanoseconds: origin.nanoseconds &+ seconds &* 1_000_000_000 &+ rest &* 1_000_000_000 / Int64(Self.rate))
  }

  /// The rest is never negative.
  private static func divide(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
