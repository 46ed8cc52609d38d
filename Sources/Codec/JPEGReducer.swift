import CTurboJPEG
import CamrigModel
import Frames

/// Decodes JPEG pictures smaller than they are, into planes: reduction is part of the decoding and makes it cheaper,
/// and no pixel becomes RGB. For one owner.
final class JPEGReducer {
  private let handle: tjhandle
  private var memory: UnsafeMutableRawBufferPointer?

  init() throws(CodecError) {
    guard let handle = tjInitDecompress() else { throw .jpeg(String(cString: tjGetErrorStr2(nil))) }
    self.handle = handle
  }

  deinit {
    tjDestroy(handle)
    memory?.deallocate()
  }

  /// - Parameter most: the picture becomes the largest of libjpeg's eighths that fits in, at least one eighth.
  func reduce(_ jpeg: Frame, within most: PixelSize) throws(CodecError) -> PicturePlanes {
    let bytes = jpeg.unsafeBytes.assumingMemoryBound(to: UInt8.self).baseAddress
    let count = UInt(jpeg.byteCount)
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, -1, 0)
    guard tjDecompressHeader3(handle, bytes, count, &width, &height, &sampling, &space) == 0, width > 0, height > 0
    else { throw .jpeg(said) }
    guard sampling >= 0, space == Int32(TJCS_YCbCr.rawValue) || space == Int32(TJCS_GRAY.rawValue)
    else { throw .jpeg("its colours or their sampling are none that can be reduced") }
    let full = PixelSize(width: Int(width), height: Int(height))
    let eighths = (1...8).last { full.reduced(eighths: $0).fits(in: most) } ?? 1
    let size = full.reduced(eighths: eighths)

    let components: Range<Int32> = 0..<(sampling == Int32(TJSAMP_GRAY.rawValue) ? 1 : 3)
    let strides = components.map { (tjPlaneWidth($0, Int32(size.width), sampling) + 31) & ~31 }
    let lengths = components.map {
      Int(strides[Int($0)]) * Int(tjPlaneHeight($0, Int32(size.height), sampling))
    }
    let start = room(lengths.reduce(0, +))
    var planes: [UnsafeMutablePointer<UInt8>?] = []
    var offset = 0
    for length in lengths {
      planes.append(start + offset)
      offset += length
    }
    var targets = planes
    var targetStrides = strides
    // The fast transform is one for whole blocks only. At half size libturbojpeg (2.1) prepares the chroma of 4:2:0
    // for it and then uses another, and all colours are wrong.
    // A progressive picture may have thousands of scans in a few bytes, each of which costs a pass.
    let transform = (eighths == 8 ? TJFLAG_FASTDCT : TJFLAG_ACCURATEDCT) | TJFLAG_LIMITSCANS
    let result = tjDecompressToYUVPlanes(
      handle, bytes, count, &targets, Int32(size.width), &targetStrides, Int32(size.height), transform)
    guard result == 0 || isHarmless else { throw .jpeg(said) }
    return PicturePlanes(
      size: size, sampling: sampling, planes: planes.map { plane in UnsafePointer(plane) }, strides: strides)
  }

  private var said: String { String(cString: tjGetErrorStr2(handle)) }

  /// Some cameras put a few bytes between the last block and the end marker of each picture; all of it was decoded
  /// then. Behind damage there are more.
  private var isHarmless: Bool {
    guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else { return false }
    let words = said.split(separator: " ")
    guard let index = words.firstIndex(of: "extraneous"), index > 0, let count = Int(words[index - 1])
    else { return false }
    return count <= 16
  }

  private func room(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    let ready: UnsafeMutableRawBufferPointer
    if let memory, memory.count >= count {
      ready = memory
    } else {
      memory?.deallocate()
      ready = .allocate(byteCount: max(count, 64), alignment: 64)
      memory = ready
    }
    return ready.baseAddress!.assumingMemoryBound(to: UInt8.self)
  }
}
