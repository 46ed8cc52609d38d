import CFFmpeg
import CFFmpegShim
import CamrigModel

/// Brings decoded pictures to another size, in JPEG's 4:2:0. For one owner.
final class PictureScaler {
  private struct Way: Equatable {
    let from: PixelSize
    let pixels: AVPixelFormat
    let to: PixelSize
  }

  private let target: LibAVFrame
  private var way: Way?
  private var scaler: OpaquePointer?

  init() throws(CodecError) { target = try LibAVFrame() }

  deinit { cff_scaler_free(scaler) }

  /// - Returns: valid until the next call, and as long as `picture`.
  func scale(
    _ picture: UnsafeMutablePointer<AVFrame>, to size: PixelSize
  ) throws(CodecError) -> PicturePlanes {
    let way = Way(
      from: PixelSize(width: Int(picture.pointee.width), height: Int(picture.pointee.height)),
      pixels: AVPixelFormat(picture.pointee.format), to: size)
    if way.pixels == AV_PIX_FMT_YUVJ420P, way.from == size { return PicturePlanes(picture) }
    if way != self.way { try prepare(way) }
    guard cff_scaler_run(scaler, picture, target.pointer) == Int32(size.height)
    else { throw .decoding(reason: "libswscale could not scale the picture") }
    return PicturePlanes(target.pointer)
  }

  private func prepare(_ way: Way) throws(CodecError) {
    self.way = nil
    cff_scaler_free(scaler)
    scaler = cff_scaler_make(
      Int32(way.from.width), Int32(way.from.height), way.pixels, Int32(way.to.width), Int32(way.to.height),
      AV_PIX_FMT_YUVJ420P)
    guard scaler != nil else { throw .decoding(reason: "libswscale cannot scale such pictures") }
    av_frame_unref(target.pointer)
    target.pointer.pointee.width = Int32(way.to.width)
    target.pointer.pointee.height = Int32(way.to.height)
    target.pointer.pointee.format = AV_PIX_FMT_YUVJ420P.rawValue
    guard av_frame_get_buffer(target.pointer, 0) == 0 else { throw .outOfMemory }
    self.way = way
  }
}
