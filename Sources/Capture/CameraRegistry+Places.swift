import CamrigModel

extension CameraRegistry {
  /// Where the cameras that are plugged in are in sysfs: what shares a device with one of them belongs to it.
  package var places: [CameraID: String] { online.mapValues { $0.camera.sysPath } }
}
