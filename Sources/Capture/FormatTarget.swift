import CamrigModel

/// What is aimed at where a camera's user has chosen nothing.
package struct FormatTarget: Hashable, Sendable {
  /// The largest size offered that is not above it is taken.
  package var size: PixelSize
  package var rate: FrameRate

  package init(size: PixelSize = PixelSize(width: 1920, height: 1080), rate: FrameRate = FrameRate(30)) {
    self.size = size
    self.rate = rate
  }
}
