/// A light that monitors may switch, as they see it.
package struct TorchDescription: Hashable, Codable, Sendable {
  package enum Backend: String, Codable, CaseIterable, Sendable {
    /// The flash class of the camera's own controls.
    case flashControl = "v4l2-flash"
    /// The kernel's LEDs.
    case led = "led-class"
    /// A line of a GPIO chip.
    case gpio
    /// Another control of the camera that is known to switch a light.
    case control
  }

  package var id: String
  package var name: String
  package var backend: Backend
  /// Whose it is; absent where it is the rig's.
  package var camera: CameraID?
  package var on: Bool
  /// 0 is off.
  package var level: Int
  package var maxLevel: Int
  /// What is wrong with it, with the cure; empty when all is well.
  package var message: String

  package init(
    id: String, name: String, backend: Backend, camera: CameraID? = nil, level: Int = 0, maxLevel: Int,
    message: String = ""
  ) {
    self.id = id
    self.name = name
    self.backend = backend
    self.camera = camera
    on = level > 0
    self.level = level
    self.maxLevel = maxLevel
    self.message = message
  }
}
