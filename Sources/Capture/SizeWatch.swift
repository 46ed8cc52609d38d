import CamrigModel

/// Tells a damaged header from a camera that delivers another size than it granted: pictures of the wrong size are
/// broken until three in a row agree.
package struct SizeWatch {
  package enum Step: Hashable, Sendable {
    case asGranted
    case broken
    /// From this picture on, the camera's size is another one.
    case changed
  }

  private static let enough = 3

  private var size: PixelSize
  private var other: (size: PixelSize, count: Int)?

  package init(granted: PixelSize) { size = granted }

  package mutating func picture(_ found: PixelSize) -> Step {
    guard found != size else {
      other = nil
      return .asGranted
    }
    let count = other?.size == found ? (other?.count ?? 0) + 1 : 1
    guard count >= Self.enough else {
      other = (found, count)
      return .broken
    }
    size = found
    other = nil
    return .changed
  }
}
