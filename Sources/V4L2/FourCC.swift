import CamrigModel

/// V4L2's name of a pixel format: four characters in 32 bits, the first in the lowest byte.
package struct FourCC: Hashable, Sendable, CustomStringConvertible {
  package let rawValue: UInt32

  package init(_ rawValue: UInt32) { self.rawValue = rawValue }

  package init(_ format: PixelFormat) {
    rawValue = format.rawValue.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Nil: camrig cannot record it.
  package var pixelFormat: PixelFormat? { PixelFormat.allCases.first { FourCC($0) == self } }

  /// `0x494c4552`
  package var hex: String {
    let digits = String(rawValue, radix: 16)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The four characters; the hex code where one of them cannot be printed.
  package var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (8 * $0)) }
    guard bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return hex }
    return String(decoding: bytes, as: UTF8.self)
  }
}
