import CamrigModel

/// How long pictures gather in a camera's queue before its writer takes them: as long as it needs none of them, but not
/// until the queue is more than half full. Else pictures were lost that nothing stood in the way of.
package struct GatheringPlan: Sendable {
  /// As long as it is not known how large the pictures are.
  private static let first: Duration = .milliseconds(100)

  private let capacity: Duration
  private let capacityBytes: Double
  private var bytesPerSecond: Double?
  private var last: MediaTime?

  package init(capacity: Duration, capacityBytes: Int) {
    self.capacity = capacity
    self.capacityBytes = Double(capacityBytes)
  }

  /// Pictures were taken that were made between these times.
  package mutating func took(bytes: Int, from first: MediaTime, to last: MediaTime) {
    // Since the picture before them; of the very first ones a little too much is expected.
    let length = last - (self.last ?? first)
    self.last = last
    guard length > .zero else { return }
    let rate = Double(bytes) / length.inSeconds
    bytesPerSecond = bytesPerSecond.map { max(rate, $0 * 0.75 + rate * 0.25) } ?? rate
  }

  /// The next pictures do not follow those before.
  package mutating func interrupted() { last = nil }

  /// - Parameter needed: so long the writer can do without them.
  package func span(of needed: Duration) -> Duration {
    guard let bytesPerSecond else { return min(needed, Self.first) }
    let nanoseconds = min(capacityBytes / 2 / max(bytesPerSecond, 1), 3600) * 1_000_000_000
    return min(needed, capacity / 2, .nanoseconds(Int64(nanoseconds)))
  }
}
