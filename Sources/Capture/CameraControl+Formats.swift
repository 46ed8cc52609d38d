import CamrigModel

/// Which format is asked of the camera, and what follows where it does not work.
extension CameraControl {
  /// True: another format is to be tried at once.
  mutating func stepDown(_ error: CaptureError, from last: FormatChoice) -> Bool {
    guard configuration.allowSmallerFormats, choice == last, let description else { return false }
    let policy = policy(description)
    tried.insert(last)
    let next: FormatChoice?
    switch error.trouble {
    case .bandwidth: next = policy.smaller(than: last, excluding: tried)
    case .startRefused: next = policy.other(than: last, excluding: tried)
    case .other where error.comesOfFormat: next = policy.other(than: last, excluding: tried)
    case .unplugged, .busy, .notYetOurs, .noSignal, .other: return false
    }
    guard let next else {
      // All were tried: the next round begins with the best again.
      forgetFormat()
      return false
    }
    choice = next
    if fallback == nil { fallback = (last, error.description) }
    if error.trouble == .bandwidth { isBusFull = true }
    return true
  }

  /// Its bus carries what all its cameras take for a while only: it takes the next smaller format, if there is one.
  mutating func relieveBus(from last: FormatChoice) {
    guard configuration.allowSmallerFormats, choice == last, let description,
      let next = policy(description).smaller(than: last, excluding: tried)
    else { return }
    tried.insert(last)
    choice = next
    let bus = BusTurns.controller(description.bus)
    if fallback == nil {
      fallback = (last, "cameras on the USB bus \(bus) stalled again and again, since it carries too much")
    }
    isBusFull = true
  }

  /// A capture card need not scale what comes in, unless that is larger than what is aimed at.
  private var target: FormatTarget {
    var target = configuration.target
    if let signal, signal.width <= target.size.width, signal.height <= target.size.height { target.size = signal }
    return target
  }

  /// What may be chosen.
  func policy(_ description: DeviceDescription) -> FormatPolicy {
    let all = FormatPolicy(description, target: target)
    // H.264 that nobody can decode, or that cannot be turned as it should, only if the user wants just that.
    guard undecodable != nil || !picture.isIdentity, wish.pixelFormat != .h264 else { return all }
    return all.without(.h264) ?? all
  }

  mutating func choose(_ description: DeviceDescription) {
    choice = policy(description).choice(for: wish)
    guard let undecodable else { return }
    let best = FormatPolicy(description, target: target).choice(for: wish)
    if let best, best != choice { fallback = (best, "\(undecodable)") }
  }

  mutating func noteFormat() {
    guard let granted, let choice else { return }
    formatNote =
      FormatPolicy.difference(asked: wish, granted: granted)
      ?? FormatPolicy.difference(asked: choice.wish, granted: granted) ?? ""
  }

  mutating func forgetFormat() {
    choice = nil
    tried = []
    fallback = nil
    formatNote = ""
    isBusFull = false
  }
}
