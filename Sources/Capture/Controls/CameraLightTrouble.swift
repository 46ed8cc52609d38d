/// Why a camera's light does not do what was asked.
package enum CameraLightTrouble: Error, Hashable, Sendable, CustomStringConvertible {
  /// The camera has none of this name, or has just been unplugged.
  case gone
  case controls(ControlTrouble)
  /// In words, with the control's name.
  case refused(String)

  package var description: String {
    switch self {
    case .gone: "the camera is not plugged in, or has no such light any more."
    case .controls(let trouble): trouble.description
    case .refused(let text): text
    }
  }
}
