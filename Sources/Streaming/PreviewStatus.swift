import CamrigModel

/// What a camera's preview does just now.
package struct PreviewStatus: Hashable, Sendable {
  package let viewerCount: Int
  /// Sizes that pictures are made in, each once for all who want it; smallest first.
  package let sizesMade: [PixelSize]
  /// Pictures made since the start, and those that turned out damaged and were shown to nobody.
  package let madeCount: Int
  package let damagedCount: Int
  /// There is a thread that makes pictures.
  package let isMaking: Bool
}
