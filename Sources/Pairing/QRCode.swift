import CQREncode

/// A text as the squares of a QR code. Whoever draws it leaves four
/// squares of white around it (ISO/IEC 18004).
package struct QRCode: Sendable {
  /// From the top, each from the left: 1 is dark.
  package let rows: [String]

  /// Nil where the text does not fit a code.
  package init?(_ text: String) {
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(code) }
    guard let squares = code.pointee.data else { return nil }
    let width = Int(code.pointee.width)
    // The lowest bit is the colour; the others say what the square is for.
    rows = (0..<width).map { row in
      String(decoding: (0..<width).map { UInt8(ascii: "0") + squares[row * width + $0] & 1 }, as: UTF8.self)
    }
  }
}
