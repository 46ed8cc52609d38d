import CamrigModel

/// The lights of a shot, as the shutter needs them: on for its exposures, and afterwards what they were.
package struct PhotoFlash: Sendable {
  /// What became of switching them on.
  package struct Lit: Sendable {
    package struct Failure: Hashable, Sendable {
      /// The light's; nil: it is the rig's.
      package var camera: CameraID?
      package var message: String

      package init(camera: CameraID? = nil, message: String) {
        self.camera = camera
        self.message = message
      }
    }
    /// The cameras whose own lights are on; nil: a light is on that shines for all of them.
    package var cameras: Set<CameraID>?
    package var failures: [Failure]

    package init(cameras: Set<CameraID>? = [], failures: [Failure] = []) {
      self.cameras = cameras
      self.failures = failures
    }

    package func shines(on camera: CameraID) -> Bool { cameras?.contains(camera) ?? true }
    package var isDark: Bool { cameras?.isEmpty == true }
  }

  /// So long before the picture of a self-timer they go on: cameras need that to see well in another light.
  static let lead = WarmUp.longest
  /// Off between two pictures of a burst that are further apart.
  static let longestBetween: Duration = .seconds(5)

  package var on: @Sendable () async -> Lit
  /// Each to what it was before `on`, unless somebody has chosen otherwise since.
  package var restore: @Sendable () async -> Void

  package init(on: @escaping @Sendable () async -> Lit, restore: @escaping @Sendable () async -> Void) {
    self.on = on
    self.restore = restore
  }
}
