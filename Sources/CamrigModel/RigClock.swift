import CLinux

/// The clocks of the rig. Tests pass one that they move by hand.
package protocol RigClock: Sendable {
  /// `CLOCK_MONOTONIC`.
  var now: MediaTime { get }
  /// Both clocks, read one right after the other.
  var anchor: ClockAnchor { get }
}

/// The same moment on both clocks, and whether the time of day could be trusted then.
package struct ClockAnchor: Hashable, Codable, Sendable {
  package let media: MediaTime
  package let wall: WallTime
  package let sync: ClockSync

  package init(media: MediaTime, wall: WallTime, sync: ClockSync) {
    self.media = media
    self.wall = wall
    self.sync = sync
  }

  /// The time of day of `time`, supposing that no step came between.
  package func wallTime(of time: MediaTime) -> WallTime {
    WallTime(nanoseconds: wall.nanoseconds &+ (time.nanoseconds &- media.nanoseconds))
  }
}

/// What the kernel says of the time of day (`adjtimex`).
package enum ClockSync: String, Codable, CaseIterable, Sendable { case synchronised, unsynchronised, unknown }

package struct SystemClock: RigClock {
  package init() {}

  package var now: MediaTime { MediaTime(nanoseconds: cl_monotonic_ns()) }

  package var anchor: ClockAnchor {
    let sync: ClockSync =
      switch cl_clock_synchronised() {
      case 1: .synchronised
      case 0: .unsynchronised
      default: .unknown
      }
    return ClockAnchor(media: now, wall: WallTime(nanoseconds: cl_realtime_ns()), sync: sync)
  }
}
