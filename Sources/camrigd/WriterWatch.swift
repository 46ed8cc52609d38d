import CamrigModel
import DaemonKit
import Recording

/// Turns what the writers of a take show into heartbeats: one that hangs in its volume for two minutes starves the
/// watchdog, one that waits for pictures does not. Ten times the stop's patience: killing a service loses more than
/// waiting for a slow disk.
final class WriterWatch: Sendable {
  private static let limit = Duration.seconds(120)
  private let watchdog: Watchdog
  private let beats = Guarded<[CameraID: (beat: Heartbeat, moved: MediaTime)]>([:])

  init(_ watchdog: Watchdog) { self.watchdog = watchdog }

  func look(at marks: [WriterMark]) {
    beats.withLock { beats in
      for mark in marks {
        let known = beats[mark.camera]
        let beat = known?.beat ?? watchdog.watch("the writer of \(mark.camera)", limit: Self.limit)
        if mark.busySince == nil {
          beat.idle()
        } else if known?.moved != mark.lastMoved {
          beat.beat()
        }
        beats[mark.camera] = (beat, mark.lastMoved)
      }
      for id in beats.keys where !marks.contains(where: { $0.camera == id }) {
        if let gone = beats.removeValue(forKey: id) { watchdog.forget(gone.beat) }
      }
    }
  }
}
