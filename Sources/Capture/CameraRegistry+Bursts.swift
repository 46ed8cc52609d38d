import CamrigModel

/// Pictures that are dragged.
extension CameraRegistry {
  func followBurst(_ id: CameraID) {
    Task {
      repeat { await parts.timer.wait(PictureBurst.calm) } while bursts[id]?.hasCalmed() == false
      // Where a take has begun meanwhile it has ended before.
      endBurst(id)
    }
  }

  package func endBursts(_ ids: [CameraID]) { for id in ids { endBurst(id) } }

  /// What was wished last shows, and is kept.
  func endBurst(_ id: CameraID) {
    guard let burst = bursts.removeValue(forKey: id) else { return }
    if let picture = burst.rest { streams[id]?.setPicture(picture) }
    keepSoon()
  }
}
