import CFFmpeg
import CFFmpegShim
import CamrigModel
import Frames

/// Gives raw pictures to libav in the pixel format and size that an encoder takes; without copying where they are in it.
final class PictureConverter {
  private enum Way {
    case asItIs
    case scaler(OpaquePointer)
    /// Luma as it is, beside chroma without colour.
    case grey
  }

  private let format: VideoFormat
  private let targetSize: PixelSize
  private let way: Way
  private let source: LibAVFrame
  private let target: LibAVFrame

  /// - Parameters:
  ///   - wanted: `AV_PIX_FMT_YUV420P`, `AV_PIX_FMT_YUVJ420P` or `AV_PIX_FMT_NV12`; for GREY `AV_PIX_FMT_GRAY8`, too.
  ///   - size: nil for the pictures' own. Grey pictures of another size stay `AV_PIX_FMT_GRAY8`.
  init(_ format: VideoFormat, to wanted: AVPixelFormat, size: PixelSize? = nil) throws(CodecError) {
    self.format = format
    targetSize = size ?? format.size
    source = try LibAVFrame()
    target = try LibAVFrame()
    guard let own = format.pixelFormat.libAV else { throw .notRaw(format.pixelFormat) }
    for (frame, pixels, size) in [(source, own, format.size), (target, wanted, targetSize)] {
      frame.pointer.pointee.width = Int32(size.width)
      frame.pointer.pointee.height = Int32(size.height)
      frame.pointer.pointee.format = pixels.rawValue
    }
    if own == wanted, targetSize == format.size {
      way = .asItIs
    } else if format.pixelFormat == .grey, own != wanted {
      precondition(targetSize == format.size, "grey pictures are made smaller as such")
      way = .grey
    } else {
      let scaler = cff_scaler_make(
        Int32(format.size.width), Int32(format.size.height), own, Int32(targetSize.width), Int32(targetSize.height),
        wanted)
      guard let scaler else { throw .outOfMemory }
      way = .scaler(scaler)
    }
  }

  deinit {
    if case .scaler(let scaler) = way { cff_scaler_free(scaler) }
  }

  /// - Parameter frame: in this converter's format, of full length.
  /// - Returns: valid until `release` or the next call; whoever keeps it longer makes a reference.
  func convert(_ frame: Frame) throws(CodecError) -> UnsafeMutablePointer<AVFrame> {
    try wrap(frame)
    switch way {
    case .asItIs: return source.pointer
    case .scaler(let scaler):
      try makeTargetWritable()
      guard cff_scaler_run(scaler, source.pointer, target.pointer) == Int32(targetSize.height)
      else { throw .encoding(encoder: "libswscale", reason: "the picture could not be converted") }
    case .grey:
      try makeTargetWritable()
      copyLuma()
    }
    return target.pointer
  }

  /// Lets go of the frame that was converted last.
  func release() { source.release() }

  /// Lets `source` point into the frame's memory, and hold the frame as long as libav refers to it.
  private func wrap(_ frame: Frame) throws(CodecError) {
    source.release()
    let bytes = frame.unsafeBytes
    let line =
      frame.bytesPerLine > 0 ? frame.bytesPerLine : format.pixelFormat.leastBytesPerLine(width: format.size.width)
    let expected = format.pixelFormat.rawByteCount(size: format.size, bytesPerLine: line)
    guard bytes.count >= expected, let start = bytes.baseAddress
    else { throw .shortPicture(byteCount: bytes.count, expected: expected) }
    // libav does not write into a buffer that is marked so.
    let memory = UnsafeMutableRawPointer(mutating: start).assumingMemoryBound(to: UInt8.self)
    let held = Unmanaged.passRetained(frame)
    guard let buffer = av_buffer_create(memory, expected, releaseFrame, held.toOpaque(), AV_BUFFER_FLAG_READONLY)
    else {
      held.release()
      throw .outOfMemory
    }
    let lumaBytes = line * format.size.height
    let picture = source.pointer
    picture.pointee.buf.0 = buffer
    picture.pointee.data.0 = memory
    picture.pointee.linesize.0 = Int32(line)
    switch format.pixelFormat {
    case .nv12:
      picture.pointee.data.1 = memory + lumaBytes
      picture.pointee.linesize.1 = Int32(line)
    case .yu12:
      let chromaBytes = line / 2 * ((format.size.height + 1) / 2)
      picture.pointee.data.1 = memory + lumaBytes
      picture.pointee.data.2 = memory + lumaBytes + chromaBytes
      picture.pointee.linesize.1 = Int32(line / 2)
      picture.pointee.linesize.2 = Int32(line / 2)
    case .yuyv, .uyvy, .grey, .mjpeg, .h264: break
    }
  }

  /// The encoder may still hold the memory of the last picture; then this one gets other memory.
  private func makeTargetWritable() throws(CodecError) {
    let picture = target.pointer
    if picture.pointee.buf.0 != nil, av_frame_is_writable(picture) > 0 { return }
    target.release()
    guard av_frame_get_buffer(picture, 0) == 0 else { throw .outOfMemory }
    // Grey pictures never touch it again.
    let rows = (targetSize.height + 1) / 2
    for (plane, line) in [
      (picture.pointee.data.1, picture.pointee.linesize.1), (picture.pointee.data.2, picture.pointee.linesize.2),
    ] {
      plane?.initialize(repeating: 128, count: Int(line) * rows)
    }
  }

  private func copyLuma() {
    let from = source.pointer.pointee
    let to = target.pointer.pointee
    for row in 0..<format.size.height {
      (to.data.0! + row * Int(to.linesize.0))
        .update(from: from.data.0! + row * Int(from.linesize.0), count: format.size.width)
    }
  }
}

private func releaseFrame(_ frame: UnsafeMutableRawPointer?, _ memory: UnsafeMutablePointer<UInt8>?) {
  guard let frame else { return }
  Unmanaged<Frame>.fromOpaque(frame).release()
}

extension LibAVFrame {
  /// Lets go of the memory, and keeps size and format.
  func release() {
    av_buffer_unref(&pointer.pointee.buf.0)
    av_buffer_unref(&pointer.pointee.buf.1)
    av_buffer_unref(&pointer.pointee.buf.2)
    pointer.pointee.data = (nil, nil, nil, nil, nil, nil, nil, nil)
    pointer.pointee.linesize = (0, 0, 0, 0, 0, 0, 0, 0)
  }
}

extension PixelFormat {
  var libAV: AVPixelFormat? {
    switch self {
    case .mjpeg, .h264: nil
    case .yuyv: AV_PIX_FMT_YUYV422
    case .uyvy: AV_PIX_FMT_UYVY422
    case .nv12: AV_PIX_FMT_NV12
    case .yu12: AV_PIX_FMT_YUV420P
    case .grey: AV_PIX_FMT_GRAY8
    }
  }
}
