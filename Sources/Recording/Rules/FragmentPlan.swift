import CamrigModel

/// Where a clip is cut into fragments, the unit of safety: what a power cut may cost is one of them. No fragment
/// is longer than `length`, except for a single picture that is.
package struct FragmentPlan: Sendable {
  package enum Step: Equatable, Sendable {
    case append
    /// The fragment ends where this picture begins; the picture opens the next one.
    case cut
  }

  private let length: Duration
  private var opened: MediaTime?
  private var last: MediaTime?
  /// From the picture before to the newest: the best guess of how long the newest will last.
  private var spacing: Duration

  /// - Parameter frameTime: the nominal one, for the guess before two pictures have come.
  package init(length: Duration, frameTime: Duration) {
    self.length = length
    spacing = frameTime
  }

  /// Pictures come in the order of their times.
  package mutating func next(_ time: MediaTime) -> Step {
    defer { last = time }
    guard let opened, let last else {
      self.opened = time
      return .append
    }
    spacing = max(time - last, .zero)
    guard time + spacing > opened + length else { return .append }
    self.opened = time
    return .cut
  }

  /// The next picture opens a fragment.
  package mutating func reset() {
    opened = nil
    last = nil
  }

  /// How much time the pictures to come must span until the next cut: so long nobody needs to wake.
  package var remaining: Duration {
    guard let opened, let last else { return .zero }
    return max((opened + length) - (last + spacing) - spacing, .zero)
  }
}
