import CTurboJPEG
import CamrigModel

/// How strongly, and with how much colour, pictures become JPEG.
package struct JPEGSettings: Hashable, Sendable {
  package enum Sampling: String, Codable, CaseIterable, Sendable {
    case yuv420 = "4:2:0"
    /// What most UVC cameras send.
    case yuv422 = "4:2:2"
  }

  /// libjpeg's scale, 1...100.
  package let quality: Int
  package let sampling: Sampling

  package init(quality: Int = 85, sampling: Sampling = .yuv422) {
    self.quality = min(max(quality, 1), 100)
    self.sampling = sampling
  }
}

/// Compresses planes by libturbojpeg, always into the same memory. For one owner.
final class JPEGCompressor {
  private let handle: tjhandle
  private let memory: UnsafeMutablePointer<UInt8>
  private let capacity: UInt
  private let size: PixelSize
  /// One of `TJSAMP`.
  private let sampling: Int32
  private let quality: Int

  convenience init(size: PixelSize, settings: JPEGSettings) throws(CodecError) {
    try self.init(size: size, sampling: settings.sampling.turbo, quality: settings.quality)
  }

  /// - Parameters:
  ///   - sampling: one of `TJSAMP`.
  ///   - quality: where `compress` is told no other.
  init(size: PixelSize, sampling: Int32, quality: Int = 85) throws(CodecError) {
    self.size = size
    self.sampling = sampling
    self.quality = quality
    capacity = tjBufSize(Int32(size.width), Int32(size.height), sampling)
    guard capacity != UInt.max, let memory = tjAlloc(Int32(clamping: capacity)) else { throw .outOfMemory }
    guard let handle = tjInitCompress() else {
      tjFree(memory)
      throw .jpeg(String(cString: tjGetErrorStr2(nil)))
    }
    self.memory = memory
    self.handle = handle
  }

  /// Made for pictures of this size and sampling.
  func fits(_ picture: PicturePlanes) -> Bool { picture.size == size && picture.sampling == sampling }

  /// - Returns: the picture; valid until the next call.
  func compress(_ picture: PicturePlanes, quality: Int) throws(CodecError) -> UnsafeRawBufferPointer {
    precondition(fits(picture), "a compressor is made for one size and sampling")
    return try compress(planes: picture.planes, strides: picture.strides, quality: quality)
  }

  deinit {
    tjDestroy(handle)
    tjFree(memory)
  }

  /// - Parameter picture: planes in this compressor's size and sampling.
  /// - Returns: the picture; valid until the next call.
  func compress(_ picture: RawPicture) throws(CodecError) -> UnsafeRawBufferPointer {
    let components = [picture.layout.luma] + picture.layout.chroma
    precondition(components.count == 3, "a colour picture has three planes")
    return try compress(
      planes: components.map {
        UnsafePointer((picture.memory.baseAddress! + $0.offset).assumingMemoryBound(to: UInt8.self))
      }, strides: components.map { Int32($0.bytesPerLine) })
  }

  /// - Parameters:
  ///   - planes: luma, Cb and Cr in this compressor's size and sampling.
  ///   - strides: bytes of each plane's lines.
  func compress(
    planes: [UnsafePointer<UInt8>?], strides: [Int32], quality: Int? = nil
  ) throws(CodecError) -> UnsafeRawBufferPointer {
    var planes = planes
    var strides = strides
    var count = capacity
    var target: UnsafeMutablePointer<UInt8>? = memory
    let result = tjCompressFromYUVPlanes(
      handle, &planes, Int32(size.width), &strides, Int32(size.height), sampling, &target, &count,
      Int32(quality ?? self.quality), TJFLAG_NOREALLOC | transform(quality ?? self.quality))
    guard result == 0 else { throw .jpeg(String(cString: tjGetErrorStr2(handle))) }
    return UnsafeRawBufferPointer(start: memory, count: Int(count))
  }
}

/// The fast transform's errors are below those of the quantisation, but of photos' fine one.
private func transform(_ quality: Int) -> Int32 { quality > 90 ? TJFLAG_ACCURATEDCT : TJFLAG_FASTDCT }

extension JPEGSettings.Sampling {
  var turbo: Int32 {
    switch self {
    case .yuv420: Int32(TJSAMP_420.rawValue)
    case .yuv422: Int32(TJSAMP_422.rawValue)
    }
  }

  /// Lines of pixels for one line of chroma.
  var chromaRows: Int {
    switch self {
    case .yuv420: 2
    case .yuv422: 1
    }
  }
}
