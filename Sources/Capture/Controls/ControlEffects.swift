import CamrigModel
import Settings

/// What follows from something that has happened to a camera's controls.
struct ControlEffects {
  /// To those who wait, by their numbers.
  var answers: [(number: Int, answer: ControlAnswerToClient)] = []
  var news: [ControlNews] = []
  var haveHintsChanged = false
}

extension ControlEffects {
  mutating func append(_ more: ControlEffects) {
    answers += more.answers
    news += more.news
    haveHintsChanged = haveHintsChanged || more.haveHintsChanged
  }
}

enum ControlAnswerToClient: Sendable {
  case controls([ControlDescription])
  case outcome(ControlOutcome)
  case failed(ControlTrouble)
}

/// What a camera's controls tell the rig.
package enum ControlNews: Hashable, Sendable {
  /// These have changed, whoever changed them.
  case changed([ControlDescription])
  /// All are known for the first time since the camera was plugged in.
  case listed
  /// A user chose these: to be kept.
  case chosen([String: KeptControl])
  /// Nothing is kept of these any more.
  case forgotten([String])
}

/// Why nothing can be said of a camera's controls at all.
package enum ControlTrouble: Error, Hashable, Sendable, CustomStringConvertible {
  case offline
  case disabled
  case stopping
  case silent
  case device(CaptureError)

  package var description: String {
    switch self {
    case .offline: "The camera is not plugged in, and its controls are in the camera."
    case .disabled: "The camera is disabled. Use it again with: camrigctl camera enable CAMERA"
    case .stopping: "The rig is being stopped."
    case .silent:
      "The camera does not answer when asked for its controls. Unplug it, wait a moment and plug it in again."
    case .device(let error): error.description
    }
  }
}
