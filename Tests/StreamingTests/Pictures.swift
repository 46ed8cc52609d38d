import CamrigModel
import Codec
import Frames
import Streaming
import TestSupport

/// A camera's pictures for tests. Number `sequence` of a camera with 30 pictures a second was taken so many thirtieths
/// after second 1000, where the test clock stands.
struct Pictures {
  var format = PixelFormat.mjpeg
  var size = PixelSize(width: 1280, height: 720)
  var run = 1
  let pool = FramePool()

  static func time(_ sequence: UInt64) -> MediaTime {
    MediaTime(nanoseconds: 1_000_000_000_000 + Int64(sequence) * 1_000_000_000 / 30)
  }

  /// Of no real bytes: for what never looks at them.
  func frame(_ sequence: UInt64, isKeyframe: Bool = true, bytes: [UInt8] = [1, 2, 3]) -> Frame {
    Frame(
      bytes.withUnsafeBytes { pool.buffer(copying: $0) }, format: format, size: size,
      bytesPerLine: format.leastBytesPerLine(width: size.width), presentationTime: Self.time(sequence), run: run,
      sequence: sequence, isKeyframe: isKeyframe)
  }

  var start: StreamItem {
    .started(StreamRun(number: run, format: VideoFormat(format, size, rate: FrameRate(30)), time: Self.time(0)))
  }

  var end: StreamItem { .ended(StreamEnd(run: run, reason: .unplugged, time: Self.time(1000))) }
}

/// Real pictures of a test pattern; the same ones each time.
final class PatternCamera {
  let pictures: Pictures
  private let renderer: TestPatternRenderer

  init(_ format: PixelFormat = .mjpeg, _ size: PixelSize = PixelSize(width: 1280, height: 720), run: Int = 1) throws {
    pictures = Pictures(format: format, size: size, run: run)
    renderer = try TestPatternRenderer(format: VideoFormat(format, size, rate: FrameRate(30)))
  }

  func bytes(_ sequence: UInt64) throws -> [UInt8] {
    try renderer.render(counter: UInt32(sequence), time: WallTime(nanoseconds: 0)) { Array($0) }
  }

  func frame(_ sequence: UInt64) throws -> Frame { pictures.frame(sequence, bytes: try bytes(sequence)) }
}
