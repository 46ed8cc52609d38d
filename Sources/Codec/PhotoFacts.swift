import CamrigModel

/// What a photo says of itself. What is not known is nil, and then not written: no tag is better than a wrong one.
package struct PhotoFacts: Hashable, Sendable {
  package var size: PixelSize
  /// When the camera took the picture; nil where the time of day cannot be trusted.
  package var taken: WallTime?
  /// Of the rig's local time from UTC at that moment.
  package var offsetSeconds: Int
  /// The camera's name on the rig.
  package var camera: String
  /// The model, in the driver's words.
  package var model: String?
  package var rig: String?
  package var software: String?
  package var exposure: PhotoExposure
  package var flash: PhotoFlashResult?

  package init(
    size: PixelSize, taken: WallTime?, offsetSeconds: Int = 0, camera: String, model: String? = nil,
    rig: String? = nil, software: String? = nil, exposure: PhotoExposure = PhotoExposure(),
    flash: PhotoFlashResult? = nil
  ) {
    self.size = size
    self.taken = taken
    self.offsetSeconds = offsetSeconds
    self.camera = camera
    self.model = model
    self.rig = rig
    self.software = software
    self.exposure = exposure
    self.flash = flash
  }
}

/// Whether a light was on for the exposure, as EXIF counts it.
package enum PhotoFlashResult: Int, Sendable {
  /// None was asked for.
  case off = 0
  /// It was asked for, and was not on.
  case failed = 0x08
  case fired = 0x09
}
