import CamrigModel

/// Which pictures to show when fewer are wanted than come: evenly, by the times at which they were taken.
package struct FramePace: Sendable {
  /// Nil: all are shown.
  package private(set) var interval: Duration?
  /// When the next one should have been taken.
  private var due: MediaTime?

  package init(_ rate: FrameRate?) { interval = rate?.frameTime }

  package mutating func setRate(_ rate: FrameRate?) {
    guard interval != rate?.frameTime else { return }
    interval = rate?.frameTime
    due = nil
  }

  /// Called for each picture in order.
  package mutating func shows(_ time: MediaTime) -> Bool {
    guard let interval else { return true }
    // One that was taken a little early counts, so that unsteady times cost no picture.
    guard let due, time > due - interval * 2 else {
      self.due = time + interval
      return true
    }
    guard time >= due - min(interval / 4, .milliseconds(12)) else { return false }
    self.due = time > due + interval ? time + interval : due + interval
    return true
  }
}
