import CamrigModel

/// Raw pictures are judged by their length: shorter ones are dropped, the surplus of longer ones (page rounding) is
/// cut off.
package struct RawPictureInspector: PictureInspector {
  package init() {}

  package func inspect(_ bytes: UnsafeRawBufferPointer, format: VideoFormat) -> PictureVerdict {
    let needed = format.rawByteCount
    guard needed > 0, bytes.count >= needed else {
      return .broken(reason: "\(bytes.count) of \(needed) bytes")
    }
    return .good(GoodPicture(range: 0..<needed, size: format.size))
  }
}

extension VideoFormat {
  /// Bytes of one picture; 0 for compressed formats.
  package var rawByteCount: Int { pixelFormat.rawByteCount(size: size, bytesPerLine: bytesPerLine) }
}
