import CQREncode

/// A text as a QR code of half-block characters, two rows of it a line. Black on white whatever the terminal's colours
/// are, with the margin that the code needs.
struct QRText {
  let lines: [String]

  /// Modules around it; by ISO/IEC 18004.
  private static let margin = 4

  /// Nil where it does not fit a code.
  init?(_ text: String) {
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let modules = code.pointee.data else { return nil }
    func isDark(_ row: Int, _ column: Int) -> Bool {
      guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
      return modules[row * width + column] & 1 == 1
    }
    lines = stride(from: -Self.margin, to: width + Self.margin, by: 2).map { row in
      let blocks = (-Self.margin..<(width + Self.margin)).map { column in
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (false, false): " "
        case (true, false): "▀"
        case (false, true): "▄"
        case (true, true): "█"
        }
      }
      return "\u{1B}[30;107m" + blocks.joined() + "\u{1B}[0m"
    }
  }
}
