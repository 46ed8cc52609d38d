/// The methods that a monitor may call, by their names on the wire (`noun.verb`, singular). The parameters and
/// results are the types of this folder; one that has no parameters takes `{}` or none.
package enum RigMethod: String, CaseIterable, Sendable {
  /// → the OpenRPC document
  case rpcDiscover = "rpc.discover"

  /// → `RigStatus`
  case rigStatus = "rig.status"
  /// → `VersionInfo`
  case rigVersion = "rig.version"
  /// → `RigStatus`, and from then on every `RigEvent` as a notification on this connection.
  case rigWatch = "rig.watch"

  /// → `StateSnapshot`, and from then on `state.changed` with merge patches on this connection
  case stateWatch = "state.watch"
  /// Anything → the same, with `wall`: for the clocks and the delay of a connection.
  case clockPing = "clock.ping"

  /// → `SessionDescription`, and from then on `session.changed` on this connection
  case sessionGet = "session.get"
  /// `CameraSelectRequest` → `CameraSelected`, when the camera's first picture is there
  case cameraSelect = "camera.select"

  /// → `[CameraDescription]`
  case cameraList = "camera.list"
  /// `CameraReference` → `CameraDescription`
  case cameraGet = "camera.get"
  /// `CameraSetRequest` → `CameraDescription`
  case cameraSet = "camera.set"
  /// `CameraRenameRequest` → `CameraDescription`
  case cameraRename = "camera.rename"
  /// `CameraReplaceRequest` → `CameraDescription`
  case cameraReplace = "camera.replace"
  /// `CameraReference` → `CameraDescription`
  case cameraEnable = "camera.enable"
  /// `CameraReference` → `CameraDescription`
  case cameraDisable = "camera.disable"
  /// `CameraReference` → `{}`
  case cameraForget = "camera.forget"

  /// → `[MicrophoneDescription]`
  case microphoneList = "microphone.list"
  /// `MicrophoneSetRequest` → `MicrophoneDescription`
  case microphoneSet = "microphone.set"
  /// `MicrophoneReference` → `{}`
  case microphoneForget = "microphone.forget"
  /// `MicrophoneMeterRequest` → `{}`, and while it is on `microphone.levels` on this connection
  case microphoneMeter = "microphone.meter"
  /// → `[TorchDescription]`
  case torchList = "torch.list"
  /// `TorchSetRequest` → `TorchDescription`
  case torchSet = "torch.set"

  /// `RecordingStartRequest` → `TakeStarted`, also of a take that is running already
  case recordingStart = "recording.start"
  /// → `TakeManifest` of the take that was stopped, or of the newest one if nothing was being recorded
  case recordingStop = "recording.stop"
  /// `RecordingArmRequest` → `RigStatus`
  case recordingArm = "recording.arm"

  /// `TakeListRequest` → `[TakeSummary]`, newest first
  case takeList = "take.list"
  /// `TakeReference` → `TakeManifest`
  case takeGet = "take.get"
  /// `TakeReference` → `TakeVerification`
  case takeVerify = "take.verify"
  /// `TakeReference` → `TakeRepairReport`
  case takeRepair = "take.repair"

  /// `PhotoTakeRequest` → `ShotStarted`, at once; what becomes of it is told by events
  case photoTake = "photo.take"
  /// `PhotoCancelRequest` → `ShotReference`
  case photoCancel = "photo.cancel"
  /// `ShotListRequest` → `[ShotRecord]`, newest first
  case photoList = "photo.list"

  /// `TimelapseStartRequest` → `TimelapseStarted`
  case timelapseStart = "timelapse.start"
  /// → `TimelapseRecord` of the one that was stopped
  case timelapseStop = "timelapse.stop"
  /// `TimelapseListRequest` → `[TimelapseRecord]`, newest first
  case timelapseList = "timelapse.list"
  /// `TimelapseMovieRequest` → `TimelapseMovies`, when they are made
  case timelapseMovie = "timelapse.movie"

  /// `PairingRequest` → `PairingOffer`
  case pairingCreate = "pairing.create"
  /// → `[PairingRequestDescription]`, oldest first
  case pairingList = "pairing.list"
  /// `PairingApproval` → `{}`
  case pairingApprove = "pairing.approve"
  /// `PairingDenial` → `{}`
  case pairingDeny = "pairing.deny"
  /// → `[MonitorDescription]`
  case monitorList = "monitor.list"
  /// `MonitorReference` → `{}`
  case monitorRevoke = "monitor.revoke"

  /// The least that a monitor must be to call it.
  package var leastRole: AccessRole {
    switch self {
    case .rpcDiscover, .rigStatus, .rigVersion, .rigWatch, .stateWatch, .clockPing: .viewer
    case .sessionGet, .cameraSelect: .viewer
    case .cameraList, .cameraGet: .viewer
    case .cameraSet, .cameraRename, .cameraReplace, .cameraEnable, .cameraDisable: .operator
    case .cameraForget: .admin
    case .torchList: .viewer
    case .torchSet: .operator
    case .recordingStart, .recordingStop, .recordingArm: .operator
    case .takeList, .takeGet, .takeVerify: .viewer
    case .takeRepair: .operator
    case .photoList, .timelapseList: .viewer
    case .photoTake, .photoCancel, .timelapseStart, .timelapseStop, .timelapseMovie: .operator
    case .pairingCreate, .monitorList, .monitorRevoke: .admin
    case .pairingList, .pairingApprove, .pairingDeny: .admin
    case .microphoneList, .microphoneMeter: .viewer
    case .microphoneSet: .operator
    case .microphoneForget: .admin
    }
  }
}
