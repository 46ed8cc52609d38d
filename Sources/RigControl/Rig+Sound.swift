import CamrigModel
import Capture
import Recording

extension Rig {
  /// The microphones whose sound goes into a camera's clips, plugged in or not.
  func takeMicrophones(of camera: CameraID) async -> [TakeMicrophone] {
    guard configuration.recording.sound != .none else { return [] }
    var found: [TakeMicrophone] = []
    for description in await microphones.microphones(of: camera) {
      if let microphone = await takeMicrophone(description, for: camera) { found.append(microphone) }
    }
    return found
  }

  /// One that the running take may not know yet.
  func joinTake(_ description: MicrophoneDescription) async {
    guard configuration.recording.sound != .none, description.enabled, description.state != .offline,
      recorder.manifest != nil
    else { return }
    for camera in description.cameras {
      if let microphone = await takeMicrophone(description, for: camera) { await recorder.add(microphone, to: camera) }
    }
  }

  private func takeMicrophone(
    _ description: MicrophoneDescription, for camera: CameraID
  ) async -> TakeMicrophone? {
    guard let microphone = await microphones.microphone(description.id) else { return nil }
    let cameraOffset = await registry.soundOffsetMilliseconds(camera)
    return TakeMicrophone(
      id: description.id, name: description.name, hub: microphone.hub,
      offset: SoundOffset.ofTrack(microphone: description.offsetMilliseconds, camera: cameraOffset),
      demand: { microphone.demand(.take) }, release: { microphone.release(.take) })
  }
}
