import CamrigModel
import DaemonKit
import Settings

/// The memory on disk.
extension CameraRegistry {
  /// What the registry itself has learnt is kept as soon as the disk allows; nobody waits for it.
  func keepSoon() {
    mustSave = true
    guard !isSaving else { return }
    isSaving = true
    Task {
      while mustSave {
        mustSave = false
        guard let trouble = await keep(memory) else { continue }
        if trouble != saveTrouble { parts.log.error("\(trouble) It is tried again with the next change.") }
        saveTrouble = trouble
      }
      isSaving = false
    }
  }

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
    var next = memory
    body(&next)
    if let trouble = await keep(next) { throw .settings(trouble) }
    // The memory may have learnt something meanwhile.
    body(&memory)
    if memory != next { keepSoon() }
  }

  func keep(_ cameras: [CameraID: CameraSettings]) async -> SettingsError? {
    let store = parts.store
    let trouble = await blocking(errands) { () -> SettingsError? in
      do throws(SettingsError) {
        try store.update { $0.cameras = cameras }
        return nil
      } catch {
        return error
      }
    }
    if trouble == nil { saveTrouble = nil }
    return trouble
  }
}
