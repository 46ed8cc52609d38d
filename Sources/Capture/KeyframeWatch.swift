import CamrigModel

/// When a camera is asked for a keyframe: whenever somebody needs one, such as after a loss, since the pictures until
/// the next one are damaged. It is asked at once, and again each second until one comes. A stream that begins without
/// one is asked after a while, and later said to be of no use.
struct KeyframeWatch {
  enum Step { case nothing, useless, useful }

  private static let pause: Duration = .seconds(1)
  /// Of a stream's beginning: longer than a usual distance between two keyframes.
  private static let patience: Duration = .seconds(2)
  private static let limit: Duration = .seconds(5)

  private var isNeeded = false
  private var askedAt: MediaTime?
  private var cannotBeAsked = false
  private var hasBegun = false
  private var isUseless = false
  /// The first picture that nobody could decode.
  private var inVainSince: MediaTime?

  mutating func need() { isNeeded = !cannotBeAsked }

  /// - Parameter isKeyframe: a decoder can start here, and has all it needs for it.
  mutating func picture(isKeyframe: Bool, at now: MediaTime) -> Step {
    if isKeyframe {
      isNeeded = false
      hasBegun = true
      defer { isUseless = false }
      return isUseless ? .useful : .nothing
    }
    guard !hasBegun else { return .nothing }
    let since = inVainSince ?? now
    inVainSince = since
    if now - since >= Self.patience { need() }
    guard !isUseless, now - since >= Self.limit else { return .nothing }
    isUseless = true
    return .useless
  }

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
