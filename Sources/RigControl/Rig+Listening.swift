import CamrigModel
import Capture
import Streaming

/// The microphones that monitors listen to.
extension Rig {
  /// What a listener needs of the microphone that `text` (an ID or a name) means. It stays good over unplugging.
  package func soundSource(_ text: String) async throws(RigError) -> (id: MicrophoneID, source: SoundSource) {
    let id: MicrophoneID
    do throws(MicrophoneRegistryError) { id = try await microphones.find(text) } catch { throw RigError(error) }
    guard let microphone = await microphones.microphone(id) else {
      throw RigError(.microphoneUnknown, "\(id) was forgotten just now.")
    }
    let source = SoundSource(
      hub: microphone.hub, demand: { microphone.demand(.preview) }, release: { microphone.release(.preview) })
    return (id, source)
  }

  /// Why nothing is heard of a microphone just now, in words; nil while something is or soon will be.
  package func whySilent(_ id: MicrophoneID) async -> String? {
    guard let microphone = await microphones.description(id) else { return "This microphone was forgotten." }
    switch microphone.state {
    case .idle, .starting, .streaming: return nil
    case .offline, .busy, .failed:
      return microphone.message.isEmpty ? "\(microphone.name) is \(microphone.state.rawValue)." : microphone.message
    }
  }

  /// The one that a request without a name means: the first that is plugged in.
  package func anyMicrophone() async -> String? {
    await microphones.microphones.first { $0.state != .offline }?.id.rawValue
  }
}
