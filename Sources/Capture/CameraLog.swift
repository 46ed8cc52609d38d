import CamrigModel
import DaemonKit

/// A camera's lines in the journal: each state once, each kind of trouble with single pictures once, until the
/// camera is plugged in anew. What comes again is a count in its status.
final class CameraLog: Sendable {
  private let log: Log
  private let id: CameraID
  private let told = Guarded<Set<String>>([])

  init(_ log: Log, _ id: CameraID) {
    self.log = log
    self.id = id
  }

  /// Everything may be told again.
  func forget() { told.withLock { $0.removeAll() } }

  func debug(_ text: String) { log.debug(text, camera: id) }

  func tell(_ state: CameraState, _ message: String, _ formatNotes: String) {
    if !formatNotes.isEmpty, isNew("format \(formatNotes)") {
      log.warning(formatNotes, .cameraFormatDiffers, camera: id)
    }
    guard isNew("\(state) \(state == .streaming ? "" : message)") else { return }
    switch state {
    case .busy: log.warning(message, .cameraBusy, camera: id)
    case .stalled: log.warning(message, .cameraStalled, camera: id)
    case .failed: log.error(message, .cameraFailed, camera: id)
    case .streaming: log.info("pictures come", camera: id)
    case .offline, .idle, .starting, .disabled: break
    }
  }

  func tell(_ report: SessionReport) {
    switch report {
    case .spoilt(let percent?):
      guard isNew("spoilt") else { return }
      log.warning(
        "\(percent) % of the pictures of the last 10 s are spoilt. Check the cable, the hub and its power supply.",
        .cameraPicturesSpoilt, camera: id)
    case .gotKeyframeRefused:
      guard isNew("keyframe") else { return }
      log.notice(
        "it cannot be asked for a keyframe: a clip begins, and after a loss pictures are whole again, when one comes by "
          + "itself", camera: id)
    case .undecodable(let reason?):
      guard isNew("\(reason)") else { return }
      log.warning("\(reason). Nothing of it can be recorded in this format.", .cameraFailed, camera: id)
    case .looks(let refusal?):
      guard isNew("\(refusal)") else { return }
      log.warning("its pictures are not turned: \(refusal)", camera: id)
    case .streaming, .stalled, .spoilt(nil), .undecodable(nil), .slow, .looks(nil): break
    }
  }

  func once(_ kind: String, _ text: String) {
    if isNew(kind) { log.notice(text, camera: id) }
  }

  private func isNew(_ line: String) -> Bool { told.withLock { $0.insert(line).inserted } }
}
