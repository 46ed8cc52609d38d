import CamrigModel

/// What a camera's preview does just now.
package struct PreviewStatus: Hashable, Sendable {
  package let viewerCount: Int
  /// Pictures that viewers were given since the start, and those that they did not get because they were slower.
  package let shownCount: Int
  package let skippedCount: Int
  /// Sizes that pictures are made in, each once for all who want it; smallest first.
  package let sizesMade: [PixelSize]
  /// Pictures made since the start, and those that turned out damaged and were shown to nobody.
  package let madeCount: Int
  package let damagedCount: Int
  /// There is a thread that makes pictures.
  package let isMaking: Bool

  package init(
    viewerCount: Int, shownCount: Int = 0, skippedCount: Int = 0, sizesMade: [PixelSize] = [], madeCount: Int = 0,
    damagedCount: Int = 0, isMaking: Bool = false
  ) {
    self.viewerCount = viewerCount
    self.shownCount = shownCount
    self.skippedCount = skippedCount
    self.sizesMade = sizesMade
    self.madeCount = madeCount
    self.damagedCount = damagedCount
    self.isMaking = isMaking
  }
}
