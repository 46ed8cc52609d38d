import CamrigModel

/// A change on the rig, told to every monitor.
package enum RigEvent: Sendable {
  case camera(CameraDescription)
  case cameraForgotten(CameraID)
  case armed(Bool)
  case take(TakeEvent)
  case takeRepaired(TakeRepairReport)
}
