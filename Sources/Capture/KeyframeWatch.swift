import CamrigModel

/// When a camera is asked for a keyframe: whenever somebody needs one, such as after a loss, since the pictures until
/// the next one are damaged. It is asked at once, and again each second until one comes.
struct KeyframeWatch {
  private static let pause: Duration = .seconds(1)

  private var isNeeded = false
  private var askedAt: MediaTime?
  private var cannotBeAsked = false

  mutating func need() { isNeeded = !cannotBeAsked }

  mutating func came() { isNeeded = false }

  /// Whether it is to be asked now.
  mutating func isDue(at now: MediaTime) -> Bool {
    guard isNeeded else { return false }
    if let askedAt, now - askedAt < Self.pause { return false }
    askedAt = now
    return true
  }

  /// It has no such control.
  mutating func refused() {
    cannotBeAsked = true
    isNeeded = false
  }
}
