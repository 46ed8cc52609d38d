import CamrigModel
import DaemonKit
import Settings

/// The memory on disk.
extension CameraRegistry {
  /// What a user has chosen for a camera's controls. Kept half a second later, for a slider has many values.
  package func choose(_ controls: [String: KeptControl], of id: CameraID) {
    guard memory[id] != nil else { return }
    memory[id]?.controls.merge(controls) { _, new in new }
    keepLater()
  }

  package func forgetControls(_ names: [String], of id: CameraID) {
    guard memory[id] != nil else { return }
    for name in names { memory[id]?.controls[name] = nil }
    keepLater()
  }

  private func keepLater() {
    guard !isSaveTimed else { return }
    isSaveTimed = true
    Task {
      await parts.timer.wait(.milliseconds(500))
      isSaveTimed = false
      keepSoon()
    }
  }

  /// What a user has asked for is on the disk before it holds.
  func change(_ body: @Sendable (inout [CameraID: CameraSettings]) -> Void) async throws(CameraRegistryError) {
    if let trouble = await changed(body) { throw .settings(trouble) }
  }
}

extension CameraRegistry: RememberingRegistry {
  static var place: WritableKeyPath<RigSettings, [CameraID: CameraSettings]> & Sendable { \.cameras }
  var store: SettingsStore { parts.store }
  var log: Log { parts.log }
  /// Why what holds would be lost by a restart.
  package var saveTrouble: String? { saving.trouble }
}
