import CFFmpeg
import CamrigModel
import Frames

/// Makes a JPEG of each picture of a raw camera: where no encoder for H.264 works, or none is wanted. For one owner.
package final class RawJPEGEncoder {
  package static let name = "libturbojpeg"

  private let format: VideoFormat
  private let converter: PictureConverter
  private let compressor: JPEGCompressor
  private let pool: FramePool

  /// - Parameters:
  ///   - format: raw, as the camera delivers it.
  ///   - rateFactor: of x264; the JPEGs are about as good.
  package init(
    format: VideoFormat, rateFactor: Int = EncoderSettings().rateFactor, pool: FramePool = FramePool()
  ) throws(CodecError) {
    _ = LibAV.quiet
    self.format = format
    self.pool = pool
    // JPEG's samples use their whole range.
    converter = try PictureConverter(format, to: AV_PIX_FMT_YUVJ420P)
    compressor = try JPEGCompressor(
      size: format.size, settings: JPEGSettings(quality: 100 - rateFactor * 2 / 3, sampling: .yuv420))
  }

  /// With the time, the run and the sequence of `frame`.
  package func encode(_ frame: Frame) throws(CodecError) -> Frame {
    guard frame.format == format.pixelFormat, frame.size == format.size else {
      throw .otherFormat(
        found: "\(frame.format.rawValue) \(frame.size)", expected: "\(format.pixelFormat.rawValue) \(format.size)")
    }
    let picture = try converter.convert(frame).pointee
    defer { converter.release() }
    let bytes = try compressor.compress(
      planes: [UnsafePointer(picture.data.0), UnsafePointer(picture.data.1), UnsafePointer(picture.data.2)],
      strides: [picture.linesize.0, picture.linesize.1, picture.linesize.2])
    return Frame(
      pool.buffer(copying: bytes), format: .mjpeg, size: frame.size, presentationTime: frame.presentationTime,
      run: frame.run, sequence: frame.sequence, isKeyframe: true)
  }
}
