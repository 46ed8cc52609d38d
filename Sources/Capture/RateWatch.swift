import CamrigModel

/// When a camera delivers far fewer pictures than it granted. Counted by the driver's numbers, so that lost pictures
/// are no slowness, over spans of time, so that a hold-up is none either.
package struct RateWatch {
  package enum Verdict: Hashable, Sendable {
    case same
    /// Pictures a second.
    case slow(Double)
    case asGranted
  }

  private static let span: Duration = .seconds(5)
  /// Spans in a row, 10 s together.
  private static let spansBefore = 2
  private static let slowShare = 0.75
  private static let fullShare = 0.9

  private let granted: Double?
  private var start: (sequence: UInt64, time: MediaTime)?
  private var slowSpans = 0
  private var isSlow = false

  package init(granted: FrameRate?) { self.granted = granted?.perSecond }

  /// The driver's count began anew.
  package mutating func restart() { start = nil }

  package mutating func picture(_ sequence: UInt64, at time: MediaTime) -> Verdict {
    guard let granted, granted > 0 else { return .same }
    guard let start, sequence > start.sequence, time > start.time else {
      start = (sequence, time)
      return .same
    }
    guard time - start.time >= Self.span else { return .same }
    self.start = (sequence, time)
    let rate = Double(sequence - start.sequence) / (time - start.time).inSeconds
    if rate < granted * Self.slowShare {
      slowSpans += 1
      guard slowSpans >= Self.spansBefore, !isSlow else { return .same }
      isSlow = true
      return .slow(rate)
    }
    slowSpans = 0
    guard isSlow, rate >= granted * Self.fullShare else { return .same }
    isSlow = false
    return .asGranted
  }
}
