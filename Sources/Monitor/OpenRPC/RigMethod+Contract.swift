import CamrigModel

extension RigMethod {
  /// What stands of it in the OpenRPC document. A new method needs: one line here (what it does, parameters as an
  /// example, the type of its result, the errors of its own), its section with a request in
  /// docs/ref/control-protocol.md, and `make openrpc`.
  package var contract: MethodContract {
    let left = CameraReference(camera: "Left")
    let last = TakeReference(take: "last")
    let settled: [RigErrorCode] = [.cameraUnknown, .recordingRunning, .settingsNotSaved]
    return switch self {
    case .rpcDiscover: MethodContract("This document.", JSONValue.self)
    case .rigStatus: MethodContract("What is happening now.", RigStatus.self)
    case .rigVersion: MethodContract("The rig's version and the protocol's.", VersionInfo.self)
    case .rigWatch: MethodContract("The status, and from then on every event.", RigStatus.self)
    case .stateWatch:
      MethodContract("The state as one document, and from then on merge patches to it.", StateSnapshot.self)
    case .clockPing: MethodContract("What was sent, and the rig's time of day.", ClockPing(t: 1234), ClockPong.self)
    case .sessionGet:
      MethodContract(
        "What this connection has selected, what the rig has; and from then on each change of the former.",
        SessionDescription.self)
    case .cameraSelect:
      MethodContract(
        "Keeps a camera open for this connection; answered when its first picture is there.",
        CameraSelectRequest(camera: "Left"), CameraSelected.self,
        [.cameraNone, .cameraUnknown, .cameraOffline, .cameraDisabled, .cameraSilent, .overtaken])
    case .cameraList: MethodContract("Every camera ever seen.", [CameraDescription].self)
    case .cameraGet: MethodContract("One camera.", left, CameraDescription.self, [.cameraUnknown])
    case .cameraSet:
      MethodContract(
        "What the camera shall deliver, how its picture is seen and how late its sound is put; what is absent stays as it was.",
        CameraSetRequest(
          camera: "Left", size: PixelSize(width: 1280, height: 720), rate: FrameRate(30),
          picture: PictureChoice(mirror: true, rotate: 90, zoom: 2, x: 0.5, y: 0.25), soundOffsetMilliseconds: 120,
          reset: ["format"]),
        CameraDescription.self, settled + [.formatUnsupported, .pictureRefused])
    case .cameraRename:
      MethodContract(
        "Gives the camera another name.", CameraRenameRequest(camera: "test-1", name: "Left"), CameraDescription.self,
        [.cameraUnknown, .cameraNameInvalid, .cameraNameTaken, .settingsNotSaved])
    case .cameraReplace:
      MethodContract(
        "Another camera takes over ID, name and settings.",
        CameraReplaceRequest(camera: "Left", with: "usb-046d-0825-D4E5F6-00"), CameraDescription.self,
        settled + [.cameraNotReplaceable])
    case .cameraEnable: MethodContract("The rig uses it again.", left, CameraDescription.self, settled)
    case .cameraDisable: MethodContract("The rig leaves it alone.", left, CameraDescription.self, settled)
    case .cameraForget:
      MethodContract(
        "Forgets ID, name and settings of a camera that is offline.", left, NoResult.self,
        settled + [.cameraNotReplaceable])
    case .controlList:
      MethodContract("A camera's controls, read anew.", left, [ControlDescription].self, Self.ofControls)
    case .controlSet:
      MethodContract(
        "Turns controls, by key, older name or role; what is granted is kept.",
        ControlSetRequest(
          camera: "Left", values: ["exposure": .number(120), "zoom": .number(7000), "hue": .number(3)]),
        ControlOutcome.self, Self.ofControls)
    case .controlReset:
      MethodContract(
        "Back to the camera's defaults.", ControlResetRequest(camera: "Left", controls: ["zoom"]), ControlOutcome.self,
        Self.ofControls)
    case .controlExport:
      MethodContract("What holds now, for a file.", left, ControlExport.self, Self.ofControls)
    case .controlImport:
      MethodContract(
        "As control.set.", ControlImportRequest(camera: "Left", controls: ["zoom_absolute": .number(200)]),
        ControlOutcome.self, Self.ofControls)
    case .usbPlan:
      MethodContract(
        "What each USB bus must carry, and which cameras fit together.",
        USBPlanRequest(cameras: [USBPlanRequest.Wish(camera: "Left", size: PixelSize(width: 1280, height: 720))]),
        USBPlanAnswer.self, [.cameraUnknown])
    case .microphoneList: MethodContract("Every microphone ever seen.", [MicrophoneDescription].self)
    case .microphoneSet:
      MethodContract(
        "How loud it is, whose sound it is, how late it is put; what is absent stays as it was.",
        MicrophoneSetRequest(microphone: "test-1", muted: false, offsetMilliseconds: 40, camera: "auto"),
        MicrophoneDescription.self,
        [.microphoneUnknown, .microphoneRefused, .cameraUnknown, .settingsNotSaved])
    case .microphoneForget:
      MethodContract(
        "Forgets ID, name and settings of a microphone that is offline.", MicrophoneReference(microphone: "Desk"),
        NoResult.self, [.microphoneUnknown, .microphoneRefused, .settingsNotSaved])
    case .microphoneMeter:
      MethodContract(
        "How loud the microphones are, from then on; or not any more.", MicrophoneMeterRequest(on: true), NoResult.self)
    case .torchList: MethodContract("The rig's lights, as they are.", [TorchDescription].self)
    case .torchSet:
      MethodContract(
        "Switches a light, or sets how bright it is.", TorchSetRequest(torch: "key", level: 120), TorchDescription.self,
        [.torchNone, .torchUnknown, .torchFailed, .cameraUnknown])
    case .recordingStart:
      MethodContract(
        "Begins a take; one that runs already is the answer.",
        RecordingStartRequest(cameras: ["Left", "test-2"], name: "Interview"), TakeStarted.self,
        [
          .cameraUnknown, .cameraOffline, .cameraDisabled, .cameraNone, .cameraSilent, .recordingRefused, .takeOpen,
          .diskLow, .diskFailed, .diskReadOnly,
        ])
    case .recordingStop:
      MethodContract(
        "Ends the take that runs, or only the one that is named; else that one or the newest is the answer.",
        RecordingStopRequest(take: "20261130T090507Z-Interview"), TakeManifest.self,
        [.takeUnknown, .takeDamaged, .diskFailed])
    case .recordingArm:
      MethodContract("Keeps the cameras open for pre-roll, or not.", RecordingArmRequest(armed: true), RigStatus.self)
    case .takeList: MethodContract("Takes, newest first.", TakeListRequest(limit: 1), [TakeSummary].self)
    case .takeGet:
      MethodContract("All of one take.", last, TakeManifest.self, [.takeUnknown, .takeDamaged, .diskFailed])
    case .takeVerify:
      MethodContract(
        "Reads a take's files and proves its ledger anew.", TakeReference(take: "20261130T090507Z-Interview"),
        TakeVerification.self, [.takeUnknown, .takeOpen, .takeDamaged, .diskFailed])
    case .takeRepair:
      MethodContract(
        "Puts a take in order. Deletes nothing.", last, TakeRepairReport.self,
        [.takeUnknown, .takeOpen, .takeDamaged, .diskFailed, .diskReadOnly])
    case .photoTake:
      MethodContract(
        "A photo of each camera at once; what becomes of it is told by events.",
        PhotoTakeRequest(cameras: ["Left"], timerSeconds: 2, source: .stream), ShotStarted.self,
        [
          .cameraUnknown, .cameraOffline, .cameraDisabled, .cameraNone, .photoRefused, .recordingRunning,
          .torchNone, .recordingRefused, .diskLow, .diskFailed, .diskReadOnly,
        ])
    case .photoCancel:
      MethodContract("Ends a self-timer or a burst.", PhotoCancelRequest(), ShotReference.self, [.shotUnknown])
    case .photoList: MethodContract("Shots, newest first.", ShotListRequest(limit: 10), [ShotRecord].self)
    case .timelapseStart:
      MethodContract(
        "A picture of each camera at each interval, until it is stopped.",
        TimelapseStartRequest(cameras: ["Left"], intervalSeconds: 10), TimelapseStarted.self,
        [
          .cameraUnknown, .cameraOffline, .cameraDisabled, .cameraNone, .timelapseRefused, .recordingRefused, .diskLow,
          .diskFailed, .diskReadOnly,
        ])
    case .timelapseStop: MethodContract("Ends the timelapse that runs.", TimelapseRecord.self, [.timelapseUnknown])
    case .timelapseList:
      MethodContract(
        "Timelapses with their movies, newest first.", TimelapseListRequest(limit: 10), [TimelapseRecord].self,
        [.timelapseUnknown, .diskFailed])
    case .timelapseMovie:
      MethodContract(
        "Makes a movie of each camera's pictures as they are.",
        TimelapseMovieRequest(timelapse: "last", rate: FrameRate(25)), TimelapseMovies.self,
        [.timelapseUnknown, .timelapseRefused, .recordingRefused, .diskLow, .diskFailed, .diskReadOnly])
    case .pairingCreate:
      MethodContract(
        "A code with which one monitor pairs.", PairingRequest(role: .viewer), PairingOffer.self, [.notPermitted])
    case .pairingList:
      MethodContract("The devices that ask to be let in.", [PairingRequestDescription].self, [.notPermitted])
    case .pairingApprove:
      MethodContract(
        "Lets a device in that asks.", PairingApproval(request: "4", role: .viewer), NoResult.self,
        [.notPermitted, .pairingUnknown])
    case .pairingDeny:
      MethodContract(
        "Sends a device away that asks.", PairingDenial(request: "4"), NoResult.self, [.notPermitted, .pairingUnknown])
    case .monitorList: MethodContract("The paired monitors.", [MonitorDescription].self, [.notPermitted])
    case .monitorRevoke:
      MethodContract(
        "Its token is good for nothing from then on.", MonitorReference(monitor: "2"), NoResult.self,
        [.notPermitted, .monitorUnknown, .settingsNotSaved])
    }
  }

  private static let ofControls: [RigErrorCode] = [
    .cameraUnknown, .cameraOffline, .cameraDisabled, .cameraSilent, .cameraFailed,
  ]

  /// Its answer is followed by notifications on the same connection.
  package var subscribes: Bool {
    self == .rigWatch || self == .stateWatch || self == .sessionGet || self == .microphoneMeter
  }
}
