import CamrigModel

extension MediaMethod {
  /// What stands of it in the OpenRPC document. A new method needs its request in docs/ref/monitor-protocol.md, too.
  package var contract: MethodContract {
    let stream = MediaStreamReference(stream: 1)
    let credit = MediaCredit(stream: 1, sequence: 41)
    return switch self {
    case .previewStart:
      MethodContract(
        "Live pictures of a camera; a stream that runs changes its form.",
        PreviewStartRequest(stream: 1, camera: "Left", longEdge: 640, rate: FrameRate(15), quality: 75, credit: 2),
        PreviewStarted.self, [.cameraUnknown, .tooManyMonitors])
    case .previewCredit: MethodContract("These pictures have arrived: more may come.", credit, NoResult.self)
    case .previewStop: MethodContract("No more pictures.", stream, NoResult.self)
    case .soundStart:
      MethodContract(
        "A microphone's sound: s16le at 48 kHz, 20 ms a message.",
        SoundStartRequest(stream: 2, microphone: "Left", credit: 10), SoundStarted.self,
        [.microphoneUnknown, .tooManyMonitors])
    case .soundCredit:
      MethodContract(
        "These messages have arrived: more may come.", MediaCredit(stream: 2, sequence: 1207), NoResult.self)
    case .soundStop: MethodContract("No more sound.", MediaStreamReference(stream: 2), NoResult.self)
    case .fileStart:
      MethodContract(
        "A file by its path over HTTP, or a part of it, in pieces.",
        FileStartRequest(
          stream: 3, path: "/takes/20261130T090507Z-Interview/Left-001.mov", offset: 1_048_576, length: 65536, credit: 4
        ),
        FileStarted.self,
        [
          .takeUnknown, .takeDamaged, .shotUnknown, .timelapseUnknown, .diskFailed, .roleForbidden, .tooManyMonitors,
        ])
    case .fileCredit:
      MethodContract("These pieces have arrived: more may come.", MediaCredit(stream: 3, sequence: 1), NoResult.self)
    case .fileStop: MethodContract("No more of the file.", MediaStreamReference(stream: 3), NoResult.self)
    }
  }
}

extension MediaEventName {
  package var contract: EventContract {
    switch self {
    case .previewEnded: EventContract("No pictures come, or none any more, and why.", MediaStreamEnded.self)
    case .soundEnded: EventContract("No sound comes, or none any more, and why.", MediaStreamEnded.self)
    case .fileEnded: EventContract("Nothing more comes of the file, and why.", MediaStreamEnded.self)
    }
  }
}
