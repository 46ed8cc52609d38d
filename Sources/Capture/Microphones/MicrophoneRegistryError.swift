import CamrigModel
import Settings
import Sound

/// Why the registry refuses. The text is what the operator reads.
package enum MicrophoneRegistryError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknown(String, microphones: [String])
  case ambiguous(String, [MicrophoneID])
  case badName(String)
  case nameTaken(String, by: MicrophoneID)
  case badOffset(Int)
  /// It has no volume of its own, or is not there to be asked.
  case noGain(name: String)
  case stillOnline(name: String)
  case builtIn(name: String)
  case device(SoundError)
  case settings(SettingsError)

  package var description: String {
    switch self {
    case .unknown(let text, let microphones):
      microphones.isEmpty
        ? "There is no microphone \"\(text)\". No microphone has been seen yet; plug one in."
        : "There is no microphone \"\(text)\". The microphones are: \(microphones.joined(separator: ", "))."
    case .ambiguous(let text, let ids):
      "\"\(text)\" may mean several microphones. Use the ID: \(ids.map(\.rawValue).joined(separator: ", "))."
    case .badName(let text):
      "\"\(text)\" cannot be the name of a microphone. A name has 1 to \(CameraNames.longest) characters, none of them "
        + "a control character."
    case .nameTaken(let name, let id): "\"\(name)\" is already the name of \(id). Choose another, or rename that one."
    case .badOffset(let milliseconds):
      SoundOffset.refusal(milliseconds)
    case .noGain(let name):
      "\(name) has no volume that can be set, or is not plugged in. Turn the knob of the device itself."
    case .stillOnline(let name): "\(name) is plugged in and cannot be forgotten. Unplug it first."
    case .builtIn(let name): "\(name) is a test tone. Their number stands in camrig.conf: DemoCameras="
    case .device(let error): error.description
    case .settings(let error): error.description
    }
  }
}
