import CamrigModel
import Glibc

/// What is known of the volume of the running take.
package struct DiskStatus: Hashable, Sendable {
  package var freeBytes: UInt64
  package var bytesPerSecond: UInt64
  /// At the present rate, until the reserve is reached.
  package var timeLeft: Duration?
}

/// Looks at the volume about once a second while a take runs.
final class DiskWatch: Sendable {
  enum Step: Sendable {
    case nothing
    case warn(String)
    case stop(TakeStop)
  }

  private struct State {
    var samples: [(time: MediaTime, bytes: UInt64)] = []
    var warnings = TimeLeftWarnings()
    var status: DiskStatus?
  }

  private let directory: String
  private let reserve: DiskReserve
  private let state = Guarded(State())

  init(directory: String, reserve: DiskReserve) {
    self.directory = directory
    self.reserve = reserve
  }

  var status: DiskStatus? { state.withLock { $0.status } }

  /// - Parameters:
  ///   - bytes: what the take has written so far.
  ///   - indexBytes: what finishing its open clips will append.
  func look(_ disk: DiskState, now: MediaTime, bytes: UInt64, indexBytes: UInt64) -> Step {
    state.withLock { state in
      state.samples.append((now, bytes))
      if state.samples.count > 31 { state.samples.removeFirst() }
      let first = state.samples[0]
      let seconds = (now - first.time).inSeconds
      let rate = seconds > 0 && bytes > first.bytes ? UInt64(Double(bytes - first.bytes) / seconds) : 0
      switch reserve.verdict(disk, indexBytes: indexBytes, bytesPerSecond: rate) {
      case .ample(let left):
        if case .present(let space) = disk {
          state.status = DiskStatus(freeBytes: space.freeBytes, bytesPerSecond: rate, timeLeft: left)
        }
        // The rate of the first seconds says little.
        guard let left, seconds >= 5, let bound = state.warnings.passed(left) else { return .nothing }
        let minutes = left.inNanoseconds / 60_000_000_000
        return .warn(
          "\(directory) has room for \(minutes) min more at the present rate (below \(bound.components.seconds / 60)). "
            + "Recording stops before the volume is full.")
      case .low(let free, let needed):
        return .stop(
          TakeStop(
            .diskLow, RecordingError.diskLow(path: directory, freeBytes: free, neededBytes: needed).description))
      case .readOnly: return .stop(TakeStop(.diskReadOnly, RecordingError.of(EROFS, directory).description))
      case .missing: return .stop(TakeStop(.diskMissing, RecordingError.directoryMissing(directory).description))
      // The volume may answer again; if it does not, the writers will say so.
      case .failed: return .nothing
      }
    }
  }
}
