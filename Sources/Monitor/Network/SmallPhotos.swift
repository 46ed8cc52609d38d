import CamrigModel
import Codec
import DaemonKit
import Dispatch
import Frames

/// Makes small pictures of photos, one after the other: whoever looks through hundreds shall not take the processor
/// away from the cameras.
final class SmallPhotos: Sendable {
  private static let quality = 80
  private let queue = DispatchQueue(label: "camrig.small-photos", qos: .utility)

  /// A JPEG without EXIF; nil where there is none to make it of.
  func make(_ path: String, longEdge: Int) async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Self.small(path, longEdge)) }
    }
  }

  private static func small(_ path: String, _ longEdge: Int) -> [UInt8]? {
    guard let bytes = try? AtomicFile.read(path, limit: 64 << 20),
      case .good(let layout) = bytes.withUnsafeBytes({ JPEGCheck.check($0, expecting: nil) })
    else { return nil }
    let frame = Frame(
      bytes.withUnsafeBytes { FramePool(keep: 0).buffer(copying: $0) }, format: .mjpeg, size: layout.size,
      presentationTime: MediaTime(nanoseconds: 0), run: 1, sequence: 0, isKeyframe: true)
    let renderer = PreviewRenderer()
    let box = PixelSize(width: longEdge, height: longEdge)
    guard (try? renderer.take(FrameTap.Pictures(frame))) != nil,
      let made = try? renderer.render(box, quality: quality)
    else { return nil }
    return made.withBytes { Array($0) }
  }
}
