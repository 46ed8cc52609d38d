import CamrigModel

extension SizeDescription {
  private static let usual = [
    (160, 120), (320, 180), (320, 240), (640, 360), (640, 480), (800, 600), (960, 540), (1024, 768), (1280, 720),
    (1280, 960), (1600, 1200), (1920, 1080), (2560, 1440), (2592, 1944), (3840, 2160),
  ].map { PixelSize(width: $0.0, height: $0.1) }

  /// The size, or of a range those that people ask for: its two ends and the usual ones that its step meets,
  /// largest first.
  package var usualSizes: [PixelSize] {
    guard let smallest else { return [size] }
    let inner = Self.usual.filter(contains)
    return Set(inner + [smallest, size]).sorted(by: >)
  }

  package func contains(_ wished: PixelSize) -> Bool {
    guard let smallest, let step else { return wished == size }
    return (smallest.width...max(size.width, smallest.width)).contains(wished.width)
      && (smallest.height...max(size.height, smallest.height)).contains(wished.height)
      && (wished.width - smallest.width) % max(step.width, 1) == 0
      && (wished.height - smallest.height) % max(step.height, 1) == 0
  }
}
