import CamrigModel
import RigControl

extension RigEvent {
  /// The event as it goes to monitors. Throws only what an `encode(to:)` of ours throws.
  package func notification() throws -> RPCNotification {
    switch self {
    case .eventsLost(let count): try note(.eventsLost, EventsLost(lost: count))
    case .camera(let camera): try note(.cameraChanged, camera)
    case .cameraForgotten(let id): try note(.cameraForgotten, CameraReference(camera: id.rawValue))
    case .microphone(let microphone): try note(.microphoneChanged, microphone)
    case .microphoneForgotten(let id):
      try note(.microphoneForgotten, MicrophoneReference(microphone: id.rawValue))
    case .torches(let torches): try note(.torchChanged, TorchesChange(torches: torches))
    case .armed(let armed): try note(.recordingArmed, RecordingArmRequest(armed: armed))
    case .takeRepaired(let report): try note(.takeRepaired, report)
    case .photo(let event):
      switch event {
      case .countdown(let countdown): try note(.photoCountdown, countdown)
      case .taken(let photo): try note(.photoTaken, photo)
      case .failed(let failure): try note(.photoFailed, failure)
      case .finished(let shot): try note(.photoFinished, shot)
      }
    case .timelapse(let event):
      switch event {
      case .started(let record): try note(.timelapseStarted, record)
      case .advanced(let status): try note(.timelapseAdvanced, status)
      case .stopped(let record): try note(.timelapseStopped, record)
      }
    case .take(let event):
      switch event {
      case .started(let started): try note(.recordingStarted, started)
      case .clipOpened(let clip): try note(.recordingClip, clip)
      case .progress(let progress): try note(.recordingProgress, progress)
      case .gapOpened(let gap): try note(.recordingGapOpened, gap)
      case .gapClosed(let gap): try note(.recordingGapClosed, gap)
      case .lossNoticed(let loss): try note(.recordingLoss, loss)
      case .stopping(let take, let stop): try note(.recordingStopping, TakeStopping(take: take, stop: stop))
      case .stopped(let manifest): try note(.recordingStopped, manifest)
      case .trouble(let trouble): try note(.recordingTrouble, trouble)
      }
    }
  }

  private func note(_ name: RigEventName, _ params: some Encodable) throws -> RPCNotification {
    RPCNotification(method: name.rawValue, params: try JSONValue(encoding: params))
  }
}
