import CamrigModel

/// The format for a photo that shall be as large as the camera can.
package enum StillFormat {
  /// The largest size offered, of the formats that have it the one that keeps most: JPEG as the camera makes it, raw
  /// pictures, H.264 last. Nil: it offers nothing that can be used.
  package static func wish(for device: DeviceDescription) -> FormatWish? {
    var best: (size: PixelSize, rank: Int, format: PixelFormat)?
    for format in device.formats {
      guard let pixelFormat = format.pixelFormat else { continue }
      for entry in format.sizes {
        let rank = rank(pixelFormat)
        if let best, (best.size, best.rank) >= (entry.size, rank) { continue }
        best = (entry.size, rank, pixelFormat)
      }
    }
    return best.map { FormatWish(pixelFormat: $0.format, size: $0.size) }
  }

  private static func rank(_ format: PixelFormat) -> Int {
    switch format {
    case .mjpeg: 6
    case .yuyv: 5
    case .uyvy: 4
    case .nv12: 3
    case .yu12: 2
    case .h264: 1
    case .grey: 0
    }
  }
}
