import CamrigModel

/// What a viewer asks for. It gets the nearest that is not more than this.
package struct PreviewForm: Hashable, Sendable {
  /// Of the picture's long edge, in pixels. Nothing is enlarged.
  package let longEdge: Int
  /// Pictures a second at most; nil for all that the camera sends.
  package let rate: FrameRate?
  /// libjpeg's scale, 1...100, of pictures that are made for the preview. What the camera sends as JPEG and is not too
  /// large goes out as it is.
  package let quality: Int

  package static let edges = 64...16384

  /// Numbers beyond what is possible become the nearest that is.
  package init(longEdge: Int = edges.upperBound, rate: FrameRate? = nil, quality: Int = 75) {
    self.longEdge = min(max(longEdge, Self.edges.lowerBound), Self.edges.upperBound)
    self.rate = rate
    self.quality = min(max(quality, 1), 100)
  }
}
