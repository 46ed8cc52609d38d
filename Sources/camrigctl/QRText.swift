/// A QR code, whose squares the rig told, of half-block characters, two rows of it a line. Black on white whatever the
/// terminal's colours are, with the margin that the code needs.
struct QRText {
  let lines: [String]

  /// Squares around it; by ISO/IEC 18004.
  private static let margin = 4

  /// `rows`: of 0 and 1, from the top.
  init(rows: [String]) {
    let squares = rows.map { Array($0.utf8) }
    let width = rows.count
    func isDark(_ row: Int, _ column: Int) -> Bool {
      guard squares.indices.contains(row), squares[row].indices.contains(column) else { return false }
      return squares[row][column] == UInt8(ascii: "1")
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
