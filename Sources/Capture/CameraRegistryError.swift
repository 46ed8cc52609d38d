import CamrigModel
import Settings

/// Why the registry refuses. The text is what the operator reads.
package enum CameraRegistryError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknown(String, cameras: [String])
  case ambiguous(String, [CameraID])
  case badName(String)
  case nameTaken(String, by: CameraID)
  /// Somebody else gives it to a camera at this moment.
  case namePromised(String)
  case stillOnline(name: String, action: String)
  case recording(name: String)
  case sameCamera(name: String)
  case builtIn(name: String)
  case settings(SettingsError)

  package var description: String {
    switch self {
    case .unknown(let text, let cameras):
      cameras.isEmpty
        ? "There is no camera \"\(text)\". No camera has been seen yet; plug one in."
        : "There is no camera \"\(text)\". The cameras are: \(cameras.joined(separator: ", "))."
    case .ambiguous(let text, let ids):
      "\"\(text)\" may mean several cameras. Use the ID: \(ids.map(\.rawValue).joined(separator: ", "))."
    case .badName(let text):
      "\"\(text)\" cannot be the name of a camera. A name has 1 to \(CameraNames.longest) characters, none of them a "
        + "control character."
    case .nameTaken(let name, let id): "\"\(name)\" is already the name of \(id). Choose another, or rename that one."
    case .namePromised(let name): "\"\(name)\" is being given to another camera just now. Choose another."
    case .stillOnline(let name, let action):
      "\(name) is plugged in and cannot be \(action). Unplug it first."
    case .recording(let name): "\(name) is being recorded. Stop the take first: camrigctl record stop"
    case .sameCamera(let name): "\(name) cannot replace itself. Name the old camera, then the new one."
    case .builtIn(let name): "\(name) is a test pattern. Their number stands in camrig.conf: DemoCameras="
    case .settings(let error): error.description
    }
  }
}
