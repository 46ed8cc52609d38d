import CamrigModel

/// Pictures that are dragged.
extension CameraRegistry {
  func followBurst(_ id: CameraID) {
    Task {
      while true {
        await parts.timer.wait(PictureBurst.calm)
        // A take may have begun, or the camera was forgotten.
        guard let look = bursts[id]?.look() else { return }
        switch look {
        case .wait: continue
        case .over: return endBurst(id)
        }
      }
    }
  }

  /// What was wished last shows, and is kept.
  func endBurst(_ id: CameraID) {
    guard let burst = bursts.removeValue(forKey: id) else { return }
    if let picture = burst.rest { streams[id]?.setPicture(picture) }
    keepSoon()
  }
}
