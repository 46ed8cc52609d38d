import CamrigModel

/// Whether a server's certificate of our own is still good, and how long a new one lasts.
package struct CertificatePlan: Hashable, Sendable {
  /// Browsers refuse more than 398 days of a server's certificate, Apple's counting the ends.
  static let days: Int64 = 397
  /// Clients' clocks may be late.
  static let daysBefore: Int64 = 1
  /// No clock is right that says less: this was written then. A Pi without a clock begins in 1970 or at its last stop.
  package static let earliest = WallTime(rfc3339: "2026-11-01T00:00:00Z")!

  package enum Verdict: Hashable, Sendable {
    case keep
    case issue(Reason)
  }

  package enum Reason: String, Hashable, Sendable {
    case none = "there is none"
    case foreign = "it is another authority's"
    case names = "the names changed"
    case old = "less than a third of its time is left"
    case future = "it begins in the future: the clock was wrong when it was made"
  }

  /// - Parameters:
  ///   - present: the names and times of the one there is; nil: none.
  ///   - names: that it should have.
  package static func judge(
    names present: [String]?, validity: Range<WallTime>, wanted: [String], at clock: WallTime
  ) -> Verdict {
    guard let present else { return .issue(.none) }
    guard Set(present) == Set(wanted) else { return .issue(.names) }
    let now = max(clock, earliest)
    guard now >= validity.lowerBound else { return .issue(.future) }
    let third = (validity.upperBound.seconds - validity.lowerBound.seconds) / 3
    return validity.upperBound.seconds - now.seconds < third ? .issue(.old) : .keep
  }

  /// Of a new one. With a clock that was never set it counts from the day of this program, the best guess there is;
  /// once the clock is set, `judge` sees to the rest.
  package static func validity(at clock: WallTime) -> Range<WallTime> {
    let begin = max(clock, earliest).seconds - daysBefore * 86400
    return WallTime(seconds: begin)..<WallTime(seconds: begin + days * 86400 - 1)
  }

  /// Of the authority. It begins before any right clock, so that no client finds it too young, and lasts longer than
  /// the rig: another one would have to be trusted by everybody again.
  static let authority = WallTime(rfc3339: "2026-01-01T00:00:00Z")!..<WallTime(rfc3339: "2066-01-01T00:00:00Z")!
}
