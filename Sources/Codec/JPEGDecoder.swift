import CTurboJPEG
import CamrigModel

/// A decoded picture, top line first, without padding between lines.
package struct DecodedPicture: Sendable {
  package enum Pixels: Sendable {
    /// One byte a pixel, JPEG's full range.
    case luma
    /// Three bytes a pixel.
    case rgb

    package var bytesPerPixel: Int {
      switch self {
      case .luma: 1
      case .rgb: 3
      }
    }
  }

  package let bytes: [UInt8]
  package let size: PixelSize
  package let pixels: Pixels
  /// The decoder met data that cannot be: parts of the picture are wrong.
  package let isDamaged: Bool
}

/// Decodes JPEG through libturbojpeg, smaller if wished: reduction is part of the decoding and makes it cheaper.
/// For one owner.
package final class JPEGDecoder {
  private let handle: tjhandle

  package init() throws(CodecError) {
    guard let handle = tjInitDecompress() else { throw .jpeg(String(cString: tjGetErrorStr2(nil))) }
    self.handle = handle
  }

  deinit { tjDestroy(handle) }

  /// - Parameter most: the picture is reduced by the least of libjpeg's factors (7/8, 3/4 ... 1/8) that makes it fit,
  ///   or by 1/8; never enlarged. Nil for its own size.
  package func decode(
    _ jpeg: UnsafeRawBufferPointer, _ pixels: DecodedPicture.Pixels = .rgb, within most: PixelSize? = nil
  ) throws(CodecError) -> DecodedPicture {
    let bytes = jpeg.assumingMemoryBound(to: UInt8.self).baseAddress
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      tjDecompressHeader3(handle, bytes, UInt(jpeg.count), &width, &height, &sampling, &space) == 0,
      width > 0, height > 0
    else { throw .jpeg(String(cString: tjGetErrorStr2(handle))) }
    let size = Self.reduced(PixelSize(width: Int(width), height: Int(height)), within: most)
    var damaged = false
    var failure: String?
    let count = size.area * pixels.bytesPerPixel
    let decoded = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
      // Of a damaged picture some lines may never be written.
      target.initialize(repeating: 0)
      filled = count
      let result = tjDecompress2(
        handle, bytes, UInt(jpeg.count), target.baseAddress, Int32(size.width), 0, Int32(size.height),
        pixels.turbo, TJFLAG_FASTDCT | TJFLAG_LIMITSCANS)
      guard result != 0 else { return }
      if tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) {
        damaged = true
      } else {
        failure = String(cString: tjGetErrorStr2(handle))
      }
    }
    if let failure { throw .jpeg(failure) }
    return DecodedPicture(bytes: decoded, size: size, pixels: pixels, isDamaged: damaged)
  }

  private static func reduced(_ size: PixelSize, within most: PixelSize?) -> PixelSize {
    guard let most else { return size }
    return size.reduced(eighths: (1...8).last { size.reduced(eighths: $0).fits(in: most) } ?? 1)
  }
}

extension DecodedPicture.Pixels {
  fileprivate var turbo: Int32 {
    switch self {
    case .luma: Int32(TJPF_GRAY.rawValue)
    case .rgb: Int32(TJPF_RGB.rawValue)
    }
  }
}
