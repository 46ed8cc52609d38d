/// A moment on the rig's recording clock, in nanoseconds of `CLOCK_MONOTONIC`.
/// V4L2 stamps buffers with it (`V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC`). Not the time of day; that is `WallTime`.
/// In JSON an integer of nanoseconds.
package struct MediaTime: Hashable, Comparable, Sendable {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package init(seconds: Int64, microseconds: Int64) {
    nanoseconds = seconds &* 1_000_000_000 &+ microseconds &* 1000
  }

  package static func < (a: MediaTime, b: MediaTime) -> Bool { a.nanoseconds < b.nanoseconds }

  package static func + (time: MediaTime, length: Duration) -> MediaTime {
    MediaTime(nanoseconds: time.nanoseconds &+ length.inNanoseconds)
  }

  package static func - (time: MediaTime, length: Duration) -> MediaTime {
    MediaTime(nanoseconds: time.nanoseconds &- length.inNanoseconds)
  }

  package static func - (later: MediaTime, earlier: MediaTime) -> Duration {
    .nanoseconds(later.nanoseconds &- earlier.nanoseconds)
  }
}

extension MediaTime: Codable {
  package init(from decoder: any Decoder) throws {
    nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }
}

extension Duration {
  /// Whole nanoseconds; lengths beyond 292 years wrap.
  package var inNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
  }

  /// For people and JSON: seconds as a decimal number.
  package var inSeconds: Double { Double(inNanoseconds) / 1_000_000_000 }
}
