import CamrigModel
import Capture

/// The lights in the cameras themselves, by their controls.
package struct CameraTorches: TorchSource {
  private let registry: Rig.Cameras

  package init(_ registry: Rig.Cameras) { self.registry = registry }

  package func torches() async -> [TorchDescription] {
    var found: [TorchDescription] = []
    for id in await registry.onlineIDs.sorted() {
      guard let lights = await registry.camera(id)?.controls.lights, !lights.isEmpty,
        let camera = await registry.description(id)
      else { continue }
      found += lights.map { light in
        TorchDescription(
          id: "\(id)/\(light.name)", name: lights.count == 1 ? camera.name : "\(camera.name) \(light.name)",
          backend: light.backend, camera: id, level: light.level, maxLevel: light.maxLevel,
          message: Self.message(light.faults))
      }
    }
    return found
  }

  package func set(_ torch: TorchDescription, _ level: Int) async -> Result<Int, RigError> {
    let light = String(torch.id.dropFirst((torch.camera?.rawValue.count ?? 0) + 1))
    guard let id = torch.camera, let camera = await registry.camera(id) else {
      return .failure(RigError(.torchUnknown, "the torch \(torch.name) is gone."))
    }
    do throws(CameraLightTrouble) {
      return .success(try await camera.controls.set(light: light, level))
    } catch {
      return .failure(RigError(.torchFailed, "the torch \(torch.name) cannot be switched: \(error)"))
    }
  }

  private static func message(_ faults: [String]) -> String {
    faults.isEmpty
      ? ""
      : "The camera reports of its light: \(faults.joined(separator: ", ")). Switch it off, and let it cool before the "
        + "next time."
  }
}
