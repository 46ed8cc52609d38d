/// What was chosen of how a camera's picture is seen, in JSON and in the settings. What is nil is as the camera gives
/// it; in a wish, as it was.
package struct PictureChoice: Hashable, Codable, Sendable {
  /// Left and right of the picture as it is seen.
  package var mirror: Bool?
  /// Degrees clockwise: 0, 90, 180 or 270.
  package var rotate: Int?
  /// 1…8; the picture shows this part of its width and height.
  package var zoom: Double?
  /// The middle of what is shown, 0…1 from left to right of the whole picture as it is seen.
  package var x: Double?
  /// The same from top to bottom.
  package var y: Double?

  package init(
    mirror: Bool? = nil, rotate: Int? = nil, zoom: Double? = nil, x: Double? = nil, y: Double? = nil
  ) {
    self.mirror = mirror
    self.rotate = rotate
    self.zoom = zoom
    self.x = x
    self.y = y
  }
}
