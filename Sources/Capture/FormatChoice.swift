import CamrigModel

/// What the policy asks of a camera: a wish with nothing left open, except a rate that the driver does not tell.
package struct FormatChoice: Hashable, Sendable, CustomStringConvertible {
  package let pixelFormat: PixelFormat
  package let size: PixelSize
  /// Nil: the driver lists no rates for it, and the user wished none.
  package let rate: FrameRate?

  package init(_ pixelFormat: PixelFormat, _ size: PixelSize, _ rate: FrameRate?) {
    self.pixelFormat = pixelFormat
    self.size = size
    self.rate = rate
  }

  package var wish: FormatWish { FormatWish(pixelFormat: pixelFormat, size: size, rate: rate) }

  package var description: String {
    "\(pixelFormat.rawValue) \(size)" + (rate.map { " at \($0)" } ?? "")
  }

  /// What it takes on the bus, by a rule of thumb: compressed pictures an eighth of YUYV.
  var bytesPerSecond: Double {
    let bytesPerPixel =
      switch pixelFormat {
      case .mjpeg: 0.25
      case .h264: 0.05
      case .yuyv, .uyvy: 2.0
      case .nv12, .yu12: 1.5
      case .grey: 1.0
      }
    return Double(size.area) * bytesPerPixel * (rate?.perSecond ?? 30)
  }
}
