import CamrigModel

/// Presentation times out of a driver's timestamps: strictly increasing and of `CLOCK_MONOTONIC`, whatever the
/// driver's clock does. Lives as long as the camera is open, over resets of its count.
package struct PictureClock {
  package enum Oddity: String, Hashable, Sendable {
    /// The timestamp was not after the one before.
    case clockBackwards
    /// It leapt more than a second away from `CLOCK_MONOTONIC`.
    case clockJump
    /// It is of a clock that the driver does not name.
    case clockForeign
  }

  private static let tolerance: Duration = .seconds(1)
  /// How long the timestamps may lag behind: while a backlog is fetched after a hold-up of our own they do, and are
  /// right.
  private static let patience: Duration = .seconds(2)
  /// A clock that stays behind is followed again after so many pictures: arrival times are right but not even.
  private static let mostBackwards = 8
  /// Movies count in microseconds: a smaller step would vanish.
  private static let leastStep: Duration = .microseconds(1)

  /// What is added to the driver's timestamps.
  private var correction: Duration = .zero
  private var previous: MediaTime?
  private var lagsSince: MediaTime?
  private var backwardsInARow = 0

  package init() {}

  /// - Parameter arrival: when the picture was fetched from the driver.
  package mutating func time(
    of timestamp: MediaTime, isMonotonic: Bool, arrival: MediaTime
  ) -> (time: MediaTime, oddity: Oddity?) {
    guard isMonotonic else { return (settle(arrival), .clockForeign) }
    let time = timestamp + correction
    let lag = difference(arrival, time)
    if lag < .zero - Self.tolerance { return (anchor(timestamp, at: arrival), .clockJump) }
    guard let previous else {
      guard lag <= Self.tolerance else { return (anchor(timestamp, at: arrival), .clockJump) }
      return (settle(time), nil)
    }
    if time <= previous {
      backwardsInARow += 1
      let jumped =
        lag > Self.tolerance || difference(previous, time) > Self.tolerance || backwardsInARow >= Self.mostBackwards
      return jumped ? (anchor(timestamp, at: arrival), .clockJump) : (settle(arrival), .clockBackwards)
    }
    backwardsInARow = 0
    if lag > Self.tolerance {
      let since = lagsSince ?? arrival
      lagsSince = since
      if difference(arrival, since) > Self.patience { return (anchor(timestamp, at: arrival), .clockJump) }
    } else {
      lagsSince = nil
    }
    return (settle(time), nil)
  }

  private mutating func anchor(_ timestamp: MediaTime, at arrival: MediaTime) -> MediaTime {
    correction = difference(arrival, timestamp)
    lagsSince = nil
    backwardsInARow = 0
    return settle(arrival)
  }

  private mutating func settle(_ time: MediaTime) -> MediaTime {
    let settled = previous.map { max(time, $0 + Self.leastStep) } ?? time
    previous = settled
    return settled
  }

  private func difference(_ a: MediaTime, _ b: MediaTime) -> Duration { a - b }
}
