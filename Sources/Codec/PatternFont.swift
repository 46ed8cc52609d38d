/// Letters of 5 by 7 pixels for the test pattern: digits and what a time of day needs.
enum PatternFont {
  static let width = 5
  static let height = 7

  /// The lines of a letter from the top; the highest of the five bits is on the left.
  static func rows(_ letter: UInt8) -> [UInt8] {
    switch letter {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digits[Int(letter - UInt8(ascii: "0"))]
    case UInt8(ascii: ":"): [0, 0b00100, 0b00100, 0, 0b00100, 0b00100, 0]
    case UInt8(ascii: "-"): [0, 0, 0, 0b01110, 0, 0, 0]
    case UInt8(ascii: "."): [0, 0, 0, 0, 0, 0b00100, 0b00100]
    case UInt8(ascii: "T"): [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100]
    case UInt8(ascii: "Z"): [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111]
    default: [0, 0, 0, 0, 0, 0, 0]
    }
  }

  private static let digits: [[UInt8]] = [
    [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b10100, 0b00100, 0b00100, 0b00100, 0b11111],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
    [0b10010, 0b10010, 0b10010, 0b11111, 0b00010, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b01110, 0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00001, 0b00010, 0b00100, 0b00100, 0b00100],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001, 0b01110],
  ]
}
