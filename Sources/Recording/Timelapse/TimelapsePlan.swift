import CamrigModel

/// When a timelapse takes its pictures: one each interval, counted from 1 on a grid that never drifts. Where the interval
/// is long the cameras are open only around each picture.
package struct TimelapsePlan: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    case wait(until: MediaTime)
    /// The cameras are opened, and stay open until `exposed` says otherwise.
    case open
    case expose(number: Int)
    /// So many pictures have no names any more.
    case done
  }

  /// So long before a picture the cameras are opened: some need seconds to start, and two to see.
  package static let lead: Duration = .seconds(5)
  /// With shorter intervals opening and closing would never end.
  package static let shortest: Duration = .seconds(20)
  /// What six digits can count.
  package static let most = 999_999

  package let interval: Duration
  /// The next one.
  package private(set) var number: Int
  /// Of number 1.
  private var origin: MediaTime
  private var isOpen = false

  /// The first picture is due at once.
  package init(interval: Duration, now: MediaTime) {
    self.interval = interval
    number = 1
    origin = now
  }

  /// One that goes on after a restart.
  /// - Parameters:
  ///   - began: when number 1 was due.
  ///   - last: the highest number that is on the volume; 0: none.
  package init(interval: Duration, began: WallTime, last: Int, now: ClockAnchor) {
    self.interval = interval
    let since = Duration.nanoseconds(now.wall.nanoseconds - began.nanoseconds)
    origin = now.media - since
    number = 1
    let step = interval.inNanoseconds
    let onGrid = since < .zero ? 0 : Int((since.inNanoseconds + step - 1) / step) + 1
    // More than there can be: the clock was set meanwhile.
    if onGrid > last, onGrid <= Self.most {
      number = onGrid
    } else {
      // The clock was set, back or far ahead: numbers go on, and the grid begins anew.
      number = last + 1
      origin = now.media - interval * last
    }
  }

  /// Whether the cameras stay open from picture to picture.
  package var keepsOpen: Bool { interval < Self.shortest }

  package var due: MediaTime { origin + interval * (number - 1) }

  package mutating func next(now: MediaTime) -> Step {
    // What could not be taken within its interval is missed.
    let late = (now - due).inNanoseconds / interval.inNanoseconds
    if late > 0 { number += Int(late) }
    guard number <= Self.most else { return .done }
    if !isOpen {
      let opening = keepsOpen ? now : due - Self.lead
      if now < opening { return .wait(until: opening) }
      isOpen = true
      return .open
    }
    return now < due ? .wait(until: due) : .expose(number: number)
  }

  /// True: the cameras may be closed.
  package mutating func exposed() -> Bool {
    number += 1
    if !keepsOpen { isOpen = false }
    return !isOpen
  }
}
