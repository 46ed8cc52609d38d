import CamrigModel

/// What happens to the rig's cameras.
package enum CaptureEvent: Hashable, Sendable {
  /// Never seen before; `online` follows.
  case appeared(CameraID)
  case online(CameraID)
  case offline(CameraID)
  /// Its state, name or settings.
  case changed(CameraID)
  case forgotten(CameraID)
  /// The device of `with` answers to `old` from now on, and `with` is no camera any more.
  case replaced(old: CameraID, with: CameraID)
  /// These have one serial and can be told apart by their sockets only.
  case conflict([CameraID])
}
