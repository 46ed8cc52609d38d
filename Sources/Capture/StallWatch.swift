import CamrigModel

/// When a camera that sends nothing is called stalled, and when it is started again. The limits follow the
/// interval at which pictures really come: in the dark a camera exposes for seconds and is not dead.
package struct StallWatch {
  private let limits: StallLimits
  private let patience: Duration
  private var interval: Duration
  private var last: MediaTime
  private var hasPicture = false

  /// - Parameters:
  ///   - nominal: the granted frame time, if the driver told one.
  ///   - patience: what the first picture is given at least.
  package init(_ limits: StallLimits, nominal: Duration?, patience: Duration = .zero, start: MediaTime) {
    self.limits = limits
    self.patience = patience
    interval = nominal ?? .milliseconds(33)
    last = start
  }

  package mutating func picture(at time: MediaTime) {
    if hasPicture {
      let gap = time - last
      // Up at once, down slowly: the limit may be too long for a while, never too short.
      interval = gap > interval ? gap : interval * 7 / 8 + gap / 8
    }
    hasPicture = true
    last = time
  }

  /// A camera that starts is not called stalled before it is started again: many need seconds for the first picture.
  package var stalledAt: MediaTime {
    hasPicture ? last + max(limits.stalledAfter, interval * limits.stalledAfterFrames) : restartAt
  }

  package var restartAt: MediaTime {
    let limit = max(limits.restartAfter, interval * limits.restartAfterFrames)
    return last + (hasPicture ? limit : max(limit, patience))
  }
}
