import CamrigModel

/// When the pictures of a shot are taken: after the self-timer, and of a burst one after the other. It is asked for the
/// next step until there is none.
package struct ShutterPlan: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    /// To be told to everybody.
    case tell(secondsLeft: Int)
    case wait(until: MediaTime)
    /// The first picture of each camera that is not older than `after`.
    case expose(number: Int, after: MediaTime)
    case done
  }

  package let count: Int
  /// When the first picture is due.
  package let first: MediaTime
  private let interval: Duration?
  private var told: Int?
  private var taken = 0
  /// When the next picture is due.
  package private(set) var due: MediaTime

  /// - Parameter interval: between the pictures of a burst; nil: as fast as they come.
  package init(pressed: MediaTime, timer: Duration = .zero, count: Int = 1, interval: Duration? = nil) {
    first = pressed + timer
    self.count = count
    self.interval = interval
    due = first
  }

  package mutating func next(now: MediaTime) -> Step {
    guard taken < count else { return .done }
    guard now < due, taken == 0 || interval != nil else { return .expose(number: taken + 1, after: due) }
    guard taken == 0 else { return .wait(until: due) }
    let left = (due - now).inNanoseconds
    let seconds = Int((left + 999_999_999) / 1_000_000_000)
    if told != seconds {
      told = seconds
      return .tell(secondsLeft: seconds)
    }
    return .wait(until: due - .seconds(seconds - 1))
  }

  /// - Parameters:
  ///   - newest: the time of the latest picture that was taken; nil where none was.
  ///   - now: when that was known.
  package mutating func exposed(newest: MediaTime?, now: MediaTime) {
    taken += 1
    if let interval {
      // A burst that has fallen behind does not hurry afterwards: the pictures are at least so far apart.
      due = max(due + interval, newest.map { $0 + interval } ?? now)
    } else {
      due = (newest ?? now) + .nanoseconds(1)
    }
  }
}
