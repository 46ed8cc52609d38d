/// Cameras in the order of their importance, each as it shall stream; nil: all on USB, as they do or would stream.
package struct USBPlanRequest: Codable, Sendable {
  package struct Wish: Codable, Sendable {
    package var camera: String
    package var size: PixelSize?
    package var rate: FrameRate?
    package var format: PixelFormat?
    package init(camera: String, size: PixelSize? = nil, rate: FrameRate? = nil, format: PixelFormat? = nil) {
      self.camera = camera
      self.size = size
      self.rate = rate
      self.format = format
    }
  }

  package var cameras: [Wish]?
  package init(cameras: [Wish]? = nil) { self.cameras = cameras }
}

package struct USBPlanAnswer: Hashable, Codable, Sendable {
  package var buses: [USBBusPlan]
  package init(buses: [USBBusPlan]) { self.buses = buses }
}

package struct USBBusPlan: Hashable, Codable, Sendable {
  /// As in `lsusb`.
  package var bus: Int
  package var megabits: Int
  package var cameras: [USBCameraPlan]
  /// Of what may be reserved, all together.
  package var percent: Int
  package var fits: Bool
  /// Sentences: what to do where not all fit.
  package var advice: [String]

  package init(bus: Int, megabits: Int, cameras: [USBCameraPlan], percent: Int, fits: Bool, advice: [String]) {
    self.bus = bus
    self.megabits = megabits
    self.cameras = cameras
    self.percent = percent
    self.fits = fits
    self.advice = advice
  }
}

package struct USBCameraPlan: Hashable, Codable, Sendable {
  package var camera: CameraID
  package var name: String
  package var format: VideoFormat?
  package var bytesPerInterval: Int
  package var percent: Int
  /// It streams so, and this is what it has reserved; else reckoned from what its descriptors offer.
  package var isMeasured: Bool
  /// There is room for it beside those before it.
  package var fits: Bool

  package init(
    camera: CameraID, name: String, format: VideoFormat?, bytesPerInterval: Int, percent: Int, isMeasured: Bool,
    fits: Bool
  ) {
    self.camera = camera
    self.name = name
    self.format = format
    self.bytesPerInterval = bytesPerInterval
    self.percent = percent
    self.isMeasured = isMeasured
    self.fits = fits
  }
}
