import CamrigModel
import Frames
import RigControl
import Streaming

/// The sound of all microphones, each made when somebody first listens, so that all who listen share one.
final class SoundRoom: Sendable {
  private let rig: Rig
  private let previews = Guarded<[MicrophoneID: (hub: SoundHub, preview: SoundPreview)]>([:])

  init(rig: Rig) { self.rig = rig }

  /// Of the microphone that `text` (an ID or a name) means.
  func sound(of text: String) async throws(RigError) -> (id: MicrophoneID, preview: SoundPreview) {
    let (id, source) = try await rig.soundSource(text)
    return (
      id,
      previews.withLock { previews in
        // A microphone that was forgotten and came back is another one.
        if let known = previews[id], known.hub === source.hub { return known.preview }
        let made = SoundPreview(source)
        previews[id] = (source.hub, made)
        return made
      }
    )
  }

  /// Of all that were listened to since the start.
  var statuses: [MicrophoneID: SoundStatus] { previews.withLock { $0 }.mapValues(\.preview.status) }
}
