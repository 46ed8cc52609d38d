import CamrigModel
import DaemonKit

/// A clock that a test moves by hand.
package final class TestClock: RigClock {
  private let state: Guarded<(media: MediaTime, wall: WallTime)>

  package init(
    media: MediaTime = MediaTime(seconds: 1000, microseconds: 0),
    wall: WallTime = WallTime(rfc3339: "2026-11-30T09:05:07Z")!
  ) {
    state = Guarded((media, wall))
  }

  package var now: MediaTime { state.withLock { $0.media } }
  package var anchor: ClockAnchor {
    state.withLock { ClockAnchor(media: $0.media, wall: $0.wall, sync: .synchronised) }
  }

  package func advance(by length: Duration) {
    state.withLock {
      $0.media = $0.media + length
      $0.wall = WallTime(nanoseconds: $0.wall.nanoseconds + length.inNanoseconds)
    }
  }
}

/// Keeps what is logged.
package final class RecordingLogSink: LogSink {
  private let kept = Guarded<[LogLine]>([])
  package init() {}
  package func write(_ line: LogLine) { kept.withLock { $0.append(line) } }
  package var lines: [LogLine] { kept.withLock { $0 } }
  package var log: Log { Log(self, lowest: .debug) }
}
