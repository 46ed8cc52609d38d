import CamrigModel
import Recording

/// The lights of a photo: those of its cameras, and those that belong to no camera.
package struct TorchFlash: Sendable {
  package let torches: [TorchDescription]

  /// What became of them, and what is to be undone.
  package struct Lit: Sendable {
    package let cameras: Set<CameraID>?
    package let failures: [PhotoFlash.Lit.Failure]
    /// Those that were off, with the wish that put them on.
    let switched: [(torch: TorchDescription, wish: Int)]
  }
}

extension TorchDesk {
  package func flash(for cameras: Set<CameraID>) async -> TorchFlash {
    TorchFlash(torches: await torches.filter { $0.camera.map(cameras.contains) ?? true })
  }

  /// One that is on already stays as bright as somebody has chosen it; the others are as bright as `on` makes them.
  package func light(_ flash: TorchFlash) async -> TorchFlash.Lit {
    var switched: [(torch: TorchDescription, wish: Int)] = []
    var failures: [PhotoFlash.Lit.Failure] = []
    var lit: [CameraID?] = []
    for torch in flash.torches {
      if isOn(torch) {
        lit.append(torch.camera)
        continue
      }
      let wish = newWish(for: torch)
      do throws(RigError) {
        // It ends with the photo, however long the burst is.
        try await put(torch, brightness(torch))
        lit.append(torch.camera)
      } catch {
        failures.append(
          PhotoFlash.Lit.Failure(
            camera: torch.camera, message: "The light \(torch.name) did not go on: \(error.message)"))
      }
      // Also one that failed: nobody knows how far it got.
      switched.append((torch, wish))
    }
    return TorchFlash.Lit(
      cameras: lit.contains(nil) ? nil : Set(lit.compactMap { $0 }), failures: failures, switched: switched)
  }

  /// Off again, but for those that somebody has switched meanwhile.
  package func restore(_ lit: TorchFlash.Lit) async {
    for (torch, wish) in lit.switched where self.wish(for: torch) == wish {
      do throws(RigError) { try await set(torch, 0) } catch { note("\(torch.name) stays on after a photo: \(error)") }
    }
  }
}
