import CamrigModel

/// Why the bytes of a buffer are no whole JPEG picture.
package enum JPEGFault: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case noStart
  /// The buffer ended within the headers.
  case cutInHeaders
  /// The buffer ended within the picture's data: there is no end-of-image marker.
  case noEnd
  /// A segment whose contents do not fit its length. The marker is the byte after FF.
  case malformed(marker: UInt8)
  /// A coding that cameras do not use and that common decoders refuse.
  case unsupported(marker: UInt8)
  case sizeDiffers(found: PixelSize, expected: PixelSize)
  case noQuantisationTable
  /// It uses Huffman tables that are neither in the picture nor among the standard ones.
  case noHuffmanTable
  /// It ends before each of its components had its scan.
  case scanMissing
  /// A marker where none may be, as damaged data have them.
  case strayMarker(UInt8)
  case restartMarkers(found: Int, expected: Int)
  /// Fewer bits than the least that a picture of this size can have.
  case tooFewData(size: PixelSize)

  package var description: String {
    switch self {
    case .empty: "the buffer is empty"
    case .noStart: "it does not begin as a JPEG picture (FF D8)"
    case .cutInHeaders: "it is cut short within its headers"
    case .noEnd: "it is cut short: the end marker (FF D9) is missing"
    case .malformed(let marker): "its segment FF \(hex(marker)) is malformed"
    case .unsupported(let marker): "its coding FF \(hex(marker)) is not one that cameras and players share"
    case .sizeDiffers(let found, let expected): "it is \(found), but the camera was set to \(expected)"
    case .noQuantisationTable: "a quantisation table is missing"
    case .noHuffmanTable: "a Huffman table is missing that is not a standard one"
    case .scanMissing: "a part of its colours is missing"
    case .strayMarker(let marker): "its data are damaged (a marker FF \(hex(marker)) within)"
    case .restartMarkers(let found, let expected):
      "its data are damaged (\(found) restart markers, not \(expected))"
    case .tooFewData(let size): "it has too few data for a picture of \(size)"
    }
  }
}

private func hex(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}
