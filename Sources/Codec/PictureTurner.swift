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

/// Why a camera's pictures cannot be turned, with the cure.
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
      "its H.264 is kept as the camera sends it, which cannot be mirrored, rotated or cropped without coding it anew. "
        + Self.cure
    case .h264Quarter:
      "the camera can mirror its H.264 and rotate it by 180 degrees, but neither by 90 nor crop it. " + Self.cure
    case .sampledInFours:
      "its JPEGs (4:1:1) cannot be rotated by 90 or 270 degrees. Rotate it by 180, or choose a raw format for it with: "
        + "camrigctl camera set"
    case .sampling: "the colours of its JPEGs are sampled in a way that cannot be turned. " + Self.cure
    case .tooSmall(let size): "pictures of \(size) are too small for it."
    }
  }

  private static let cure = "Choose another format for it, such as: camrigctl camera set CAMERA --format MJPG"
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
