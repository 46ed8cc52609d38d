import CamrigModel

extension RigEventName {
  /// What stands of it in the OpenRPC document.
  package var contract: EventContract {
    switch self {
    case .eventsLost: EventContract("So many events before this one will never come.", EventsLost.self)
    case .stateChanged: EventContract("A merge patch from the revision before to this one.", StateChange.self)
    case .sessionChanged:
      EventContract("To a connection that called session.get: what it has selected.", SessionSelection.self)
    case .cameraChanged: EventContract("Whole, whenever something of it changes.", CameraDescription.self)
    case .cameraForgotten: EventContract("It is gone for good.", CameraReference.self)
    case .microphoneChanged: EventContract("Whole, whenever something of it changes.", MicrophoneDescription.self)
    case .microphoneForgotten: EventContract("It is gone for good.", MicrophoneReference.self)
    case .microphoneLevels:
      EventContract("How loud they are, ten times a second, to those who asked for it.", MicrophoneLevels.self)
    case .torchChanged: EventContract("All lights, after a change of one of them.", TorchesChange.self)
    case .recordingArmed: EventContract("Whether cameras are kept open for pre-roll.", RecordingArmRequest.self)
    case .recordingStarted: EventContract("A take runs.", TakeStarted.self)
    case .recordingClip: EventContract("A clip was begun.", TakeClipEvent.self)
    case .recordingProgress: EventContract("How far a camera has come; about once a second.", TakeProgress.self)
    case .recordingGapOpened: EventContract("The camera delivers nothing; the take goes on.", TakeGapEvent.self)
    case .recordingGapClosed: EventContract("The camera delivers again.", TakeGapEvent.self)
    case .recordingLoss: EventContract("Pictures that will never come, by cause.", TakeLossEvent.self)
    case .recordingStopping: EventContract("The take is being ended.", TakeStopping.self)
    case .recordingStopped: EventContract("The take is on the volume.", TakeManifest.self)
    case .recordingTrouble: EventContract("Something that needs a person.", TakeTrouble.self)
    case .takeRepaired: EventContract("A take that a crash left was put in order.", TakeRepairReport.self)
    case .photoCountdown: EventContract("Each second of a self-timer.", PhotoCountdown.self)
    case .photoTaken: EventContract("A photo is on the volume.", PhotoTaken.self)
    case .photoFailed: EventContract("A camera gave no photo.", PhotoFailed.self)
    case .photoFinished: EventContract("Nothing more comes of the shot.", ShotRecord.self)
    case .timelapseStarted: EventContract("A timelapse runs.", TimelapseRecord.self)
    case .timelapseAdvanced: EventContract("A moment of a timelapse has passed.", TimelapseStatus.self)
    case .timelapseStopped: EventContract("A timelapse has ended.", TimelapseRecord.self)
    }
  }
}
