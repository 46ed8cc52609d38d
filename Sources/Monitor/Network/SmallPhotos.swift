import CamrigModel
import Codec
import DaemonKit
import Dispatch
import Frames
import HTTP

/// Makes small pictures of photos, one after the other: whoever looks through hundreds shall not take the processor
/// away from the cameras.
final class SmallPhotos: Sendable {
  private static let quality = 80
  private static let mostBytes: Int64 = 64 << 20
  private let queue = DispatchQueue(label: "camrig.small-photos", qos: .utility)

  /// A JPEG without EXIF; nil where there is none to make it of.
  func make(of file: HTTPFile, longEdge: Int) async throws(VolumeSilence) -> [UInt8]? {
    guard file.size <= Self.mostBytes,
      let bytes = try await file.volume.reading.ask({ file.read(0..<file.size) })
    else { return nil }
    return await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Self.small(bytes, longEdge)) }
    }
  }

  private static func small(_ bytes: [UInt8], _ longEdge: Int) -> [UInt8]? {
    guard
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
