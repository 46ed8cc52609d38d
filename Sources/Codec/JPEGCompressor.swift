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
  private let size: PixelSize
  private let settings: JPEGSettings

  init(size: PixelSize, settings: JPEGSettings) throws(CodecError) {
    self.size = size
    self.settings = settings
    let most = tjBufSize(Int32(size.width), Int32(size.height), settings.sampling.turbo)
    guard most != UInt.max, let memory = tjAlloc(Int32(clamping: most)) else { throw .outOfMemory }
    guard let handle = tjInitCompress() else {
      tjFree(memory)
      throw .jpeg(String(cString: tjGetErrorStr2(nil)))
    }
    self.memory = memory
    self.handle = handle
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
    planes: [UnsafePointer<UInt8>?], strides: [Int32]
  ) throws(CodecError) -> UnsafeRawBufferPointer {
    var planes = planes
    var strides = strides
    var count = tjBufSize(Int32(size.width), Int32(size.height), settings.sampling.turbo)
    var target: UnsafeMutablePointer<UInt8>? = memory
    let result = tjCompressFromYUVPlanes(
      handle, &planes, Int32(size.width), &strides, Int32(size.height), settings.sampling.turbo, &target, &count,
      Int32(settings.quality), TJFLAG_NOREALLOC | TJFLAG_FASTDCT)
    guard result == 0 else { throw .jpeg(String(cString: tjGetErrorStr2(handle))) }
    return UnsafeRawBufferPointer(start: memory, count: Int(count))
  }
}

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
