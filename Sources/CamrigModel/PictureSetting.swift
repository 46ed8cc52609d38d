/// How a camera's pictures are seen by everybody: turned, then mirrored, then a part of that. It is baked into previews,
/// takes and photos alike.
package struct PictureSetting: Hashable, Sendable {
  /// Clockwise.
  package enum Rotation: Int, CaseIterable, Sendable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    /// Width and height change places.
    package var swapsAxes: Bool { self == .quarter || self == .threeQuarters }
  }

  package static let zooms: ClosedRange<Double> = 1...8

  package var mirror = false
  package var rotation = Rotation.none
  package var zoom = 1.0
  /// The middle of what is shown, 0…1 of the whole picture as it is seen.
  package var x = 0.5
  package var y = 0.5

  package init() {}

  /// Of what was kept; a value that cannot be, as a hand may have written it, counts as none.
  package init(kept choice: PictureChoice?) {
    guard let choice else { return }
    for part in choice.parts { try? apply(part) }
  }

  /// The camera's picture as it is.
  package var isIdentity: Bool { !mirror && rotation == .none && zoom == 1 }

  /// A camera's own controls for flipping can do it.
  package var isFlipsOnly: Bool { !rotation.swapsAxes && zoom == 1 }

  /// Turned by a half, and mirrored or not: what remains of both.
  package var flipsHorizontally: Bool { mirror != (rotation == .half) }
  package var flipsVertically: Bool { rotation == .half }

  /// Only what differs from the camera's own picture; nil: nothing does.
  package var choice: PictureChoice? {
    let middle = zoom == 1
    let choice = PictureChoice(
      mirror: mirror ? true : nil, rotate: rotation == .none ? nil : rotation.rawValue, zoom: zoom == 1 ? nil : zoom,
      x: middle || x == 0.5 ? nil : x, y: middle || y == 0.5 ? nil : y)
    return choice == PictureChoice() ? nil : choice
  }

  /// What is nil in the choice stays as it was; if it throws, all does.
  package mutating func apply(_ choice: PictureChoice) throws(PictureSettingError) {
    var next = self
    try next.take(choice)
    self = next
  }

  private mutating func take(_ choice: PictureChoice) throws(PictureSettingError) {
    if let degrees = choice.rotate {
      guard let rotation = Rotation(rawValue: degrees) else { throw .rotation(degrees) }
      self.rotation = rotation
    }
    if let zoom = choice.zoom {
      guard Self.zooms.contains(zoom) else { throw .zoom(zoom) }
      self.zoom = zoom
    }
    for (name, value) in [("x", choice.x), ("y", choice.y)] {
      guard let value, !(0...1).contains(value) else { continue }
      throw .middle(name, value)
    }
    // With a zoom of 1 in the same breath the middle is that of the whole.
    if choice.zoom == nil, zoom == 1, choice.x != nil || choice.y != nil { throw .nothingCut }
    if let mirror = choice.mirror { self.mirror = mirror }
    if let x = choice.x { self.x = x }
    if let y = choice.y { self.y = y }
    // Nobody wants the corner of before when he zooms in anew.
    if zoom == 1 { (x, y) = (0.5, 0.5) }
  }
}

package enum PictureSettingError: Error, Hashable, Sendable, CustomStringConvertible {
  case rotation(Int)
  case zoom(Double)
  case middle(String, Double)
  /// A middle is chosen of the whole picture.
  case nothingCut

  package var description: String {
    switch self {
    case .rotation(let degrees): "A picture is rotated by 0, 90, 180 or 270 degrees, not by \(degrees)."
    case .zoom(let zoom): "Zoom goes from 1 (the whole picture) to 8, not to \(zoom)."
    case .middle(let name, let value):
      "\(name) is where the middle of the picture lies, from 0 (left, top) to 1 (right, bottom), not \(value)."
    case .nothingCut:
      "The whole picture is shown, so there is no part of it to choose. Zoom in, too, such as: camrigctl picture CAMERA "
        + "--zoom 2 --at 0.5,0.25"
    }
  }
}

extension PictureChoice {
  /// Zoom before the middle, which counts with a zoom only.
  fileprivate var parts: [PictureChoice] {
    [
      PictureChoice(mirror: mirror), PictureChoice(rotate: rotate), PictureChoice(zoom: zoom), PictureChoice(x: x),
      PictureChoice(y: y),
    ]
  }
}
