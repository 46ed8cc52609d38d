import CFFmpeg
import CTurboJPEG
import CamrigModel

/// Where the planes of a picture lie that is about to be compressed, in JPEG's full range. It points into the memory
/// of who made it, valid until that makes the next one.
struct PicturePlanes {
  let size: PixelSize
  /// One of libturbojpeg's `TJSAMP`.
  let sampling: Int32
  /// Luma, Cb and Cr; luma alone if grey.
  let planes: [UnsafePointer<UInt8>?]
  /// Bytes of each plane's lines.
  let strides: [Int32]

  /// Nil of an empty picture.
  var meanLuma: Double? {
    guard let luma = planes[0], size.area > 0 else { return nil }
    var sum = 0
    for line in 0..<size.height {
      for byte in UnsafeBufferPointer(start: luma + line * Int(strides[0]), count: size.width) { sum += Int(byte) }
    }
    return Double(sum) / Double(size.area)
  }
}

extension PicturePlanes {
  /// - Parameter picture: `AV_PIX_FMT_YUVJ420P` or `AV_PIX_FMT_GRAY8`.
  init(_ picture: UnsafeMutablePointer<AVFrame>) {
    let picture = picture.pointee
    let isGrey = picture.format == AV_PIX_FMT_GRAY8.rawValue
    size = PixelSize(width: Int(picture.width), height: Int(picture.height))
    sampling = Int32((isGrey ? TJSAMP_GRAY : TJSAMP_420).rawValue)
    let planes = [UnsafePointer(picture.data.0), UnsafePointer(picture.data.1), UnsafePointer(picture.data.2)]
    let strides = [picture.linesize.0, picture.linesize.1, picture.linesize.2]
    self.planes = Array(planes.prefix(isGrey ? 1 : 3))
    self.strides = Array(strides.prefix(isGrey ? 1 : 3))
  }
}
