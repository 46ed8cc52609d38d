import CamrigModel

extension CameraRegistry {
  /// Whose a light is.
  /// - Parameters:
  ///   - named: an ID or a name, as the administrator has written it; nil: nobody has.
  ///   - device: the folder below /sys/devices of the light's own device: a camera on the same USB device, or with the
  ///     same device, has it.
  package func camera(named: String?, ofDevice device: String?) -> CameraID? {
    // One that was never seen yet has no light; it gets it when it comes.
    if let named { return try? find(named) }
    guard let device else { return nil }
    return online.keys.sorted().first { id in
      // …/1-2/1-2:1.0/video4linux/video0: a USB interface has a colon in its name, and its device is above it.
      guard let path = online[id]?.camera.sysPath else { return false }
      var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
      if parts.last?.contains(":") == true { parts = parts.dropLast() }
      let whole = parts.joined(separator: "/")
      return !whole.isEmpty && (device == whole || device.hasPrefix(whole + "/"))
    }
  }
}
