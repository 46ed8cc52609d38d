import CamrigModel
import Frames

/// Turns, mirrors and crops the pictures of one run of a stream. For one owner.
package protocol PictureTurner: AnyObject {
  /// What becomes of this picture.
  func format(of frame: Frame) throws(TurnRefusal) -> VideoFormat

  /// Throws where the picture is damaged too badly. Time, run and sequence stay.
  /// - Parameter frame: one that `format` has an answer for.
  func turn(_ frame: Frame) throws(CodecError) -> Frame
}

/// Why a camera's pictures cannot be turned.
package enum TurnRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  case h264
  /// Of H.264, by the camera's own controls.
  case h264Quarter
  /// Turned by a quarter, few programs could show them.
  case sampledInFours
  case sampling
  case tooSmall(PixelSize)

  package var description: String {
    switch self {
    case .h264:
      "its H.264 is kept as the camera sends it, which cannot be mirrored, rotated or cropped without coding it anew."
    case .h264Quarter:
      "the camera can mirror its H.264 and rotate it by 180 degrees, but neither by 90 nor crop it."
    case .sampledInFours: "its JPEGs (4:1:1) cannot be rotated by 90 or 270 degrees, but by 180."
    case .sampling: "the colours of its JPEGs are sampled in a way that cannot be turned."
    case .tooSmall(let size): "pictures of \(size) are too small for it."
    }
  }

  /// With what its user can do about it.
  /// - Parameter offered: the formats that the camera has; empty while that is not known, as of one that is not plugged in.
  package func advice(offered: [PixelFormat]) -> String {
    guard let useless else { return description }
    let others = offered.filter { !useless.contains($0) }
    let cure =
      if offered.isEmpty {
        "Choose another format for it, if it has one: camrigctl camera set CAMERA --format …"
      } else if let best = others.contains(.mjpeg) ? .mjpeg : others.first {
        "Choose another format for it (it offers \(others.map(\.rawValue).joined(separator: ", "))): "
          + "camrigctl camera set CAMERA --format \(best.rawValue)"
      } else {
        "It offers no format that can, so it stays as it is."
      }
    return "\(description) \(cure)"
  }

  /// The formats that have the same trouble, or another; nil: no format helps.
  private var useless: Set<PixelFormat>? {
    switch self {
    case .h264, .h264Quarter: [.h264]
    case .sampledInFours, .sampling: [.mjpeg, .h264]
    case .tooSmall: nil
    }
  }
}

/// Nil where nothing is to be done, and for H.264.
package func pictureTurner(_ setting: PictureSetting, _ format: PixelFormat) throws(CodecError) -> (any PictureTurner)?
{
  guard !setting.isIdentity else { return nil }
  return switch format {
  case .mjpeg: try JPEGTurner(setting)
  case .h264: nil
  case .yuyv, .uyvy, .nv12, .yu12, .grey: RawTurner(setting)
  }
}
