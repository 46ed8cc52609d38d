import CamrigModel

/// Why no photo is taken, in the words that the operator reads.
package enum PhotoError: Error, Equatable, CustomStringConvertible {
  case impossible(String)
  case noCameras
  /// This shot is under way.
  case busy(String)
  case tooMany
  case stillWhileRecording
  case stopping
  case notRunning(String?)
  case volume(RecordingError)

  package var description: String {
    switch self {
    case .impossible(let why): why
    case .noCameras:
      "There is no camera to take a photo with. Plug one in, or see camrigctl cameras for why those there cannot be used."
    case .busy(let shot):
      "Shot \(shot) is under way. Wait for it, or cancel it: camrigctl photo cancel"
    case .tooMany: "So many photos are being taken that the volume does not keep up. Try again in a moment."
    case .stillWhileRecording:
      "A photo in the camera's largest size changes its format, which would break the recording. "
        + "Take it from the stream, or stop first: camrigctl record stop"
    case .stopping: "The rig is being stopped."
    case .notRunning(let shot): shot.map { "Shot \($0) is not under way." } ?? "No shot is under way."
    case .volume(let error): error.description
    }
  }
}
