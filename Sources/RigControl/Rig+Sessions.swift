import CamrigModel
import Streaming

extension Rig {
  /// What a monitor may select: throws why it may not. Also while a take runs, since it only looks.
  package func selectableCamera(_ text: String) async throws(RigError) -> (id: CameraID, camera: PreviewCamera) {
    guard !(await registry.cameras.isEmpty) else {
      throw RigError(.cameraNone, "The rig has no camera. Plug one in.")
    }
    let camera = try await usableCamera(text, otherwise: "select another")
    return try await previewCamera(camera.id.rawValue)
  }

  /// One that is plugged in and enabled.
  func usableCamera(_ text: String, otherwise: String) async throws(RigError) -> CameraDescription {
    let camera = try await described(find(text))
    if camera.state == .offline {
      throw RigError(.cameraOffline, "\(camera.name) is not plugged in. Plug it in, or \(otherwise).")
    }
    if !camera.enabled {
      throw RigError(
        .cameraDisabled, "\(camera.name) is disabled. Use it again with: camrigctl camera enable \(camera.id)")
    }
    return camera
  }
}
