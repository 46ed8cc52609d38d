import CamrigModel

extension PixelSize {
  /// Of this picture decoded by libjpeg at so many eighths of its size, 1...8.
  package func reduced(eighths: Int) -> PixelSize {
    PixelSize(width: (width * eighths + 7) / 8, height: (height * eighths + 7) / 8)
  }

  package func fits(in most: PixelSize) -> Bool { width <= most.width && height <= most.height }
}
