import CamrigModel
import Recording

/// A change on the rig, told to every monitor.
package enum RigEvent: Sendable {
  /// So many events before this one will never come: whoever puts a state together from them must ask for it anew.
  case eventsLost(UInt64)
  case camera(CameraDescription)
  case cameraForgotten(CameraID)
  case microphone(MicrophoneDescription)
  case microphoneForgotten(MicrophoneID)
  case armed(Bool)
  /// All of them, after each change.
  case torches([TorchDescription])
  case take(TakeEvent)
  case takeRepaired(TakeRepairReport)
  case photo(PhotoEvent)
  case timelapse(TimelapseEvent)
}
