/// Reads the bits of an H.264 NAL unit's payload; the 03 of each 00 00 03 is left out.
///
/// Safe on any bytes: past the end, and for numbers that cannot be, it gives zeros and `failed` is true from then
/// on. So a parser reads on and asks once, at the end.
struct H264BitReader {
  private let bytes: UnsafeRawBufferPointer
  private var position: Int
  private var zeros = 0
  private var current: UInt8 = 0
  private var bitsLeft = 0
  private(set) var failed = false

  /// - Parameter start: the first byte of the payload, after the NAL unit's header.
  init(_ bytes: UnsafeRawBufferPointer, from start: Int) {
    self.bytes = bytes
    position = start
  }

  mutating func bit() -> UInt32 {
    if bitsLeft == 0, !load() {
      failed = true
      return 0
    }
    bitsLeft -= 1
    return UInt32(current >> UInt8(bitsLeft)) & 1
  }

  mutating func flag() -> Bool { bit() == 1 }

  /// - Parameter count: at most 32.
  mutating func bits(_ count: Int) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count { value = value << 1 | bit() }
    return value
  }

  /// `ue(v)`, 0...2^32-2.
  mutating func unsigned() -> UInt32 {
    var zeros = 0
    while !failed, bit() == 0 { zeros += 1 }
    guard !failed, zeros < 32 else {
      failed = true
      return 0
    }
    return (1 << UInt32(zeros)) - 1 + bits(zeros)
  }

  /// `ue(v)` that the standard bounds; anything above counts as failed.
  mutating func unsigned(upTo most: UInt32) -> Int {
    let value = unsigned()
    guard value <= most else {
      failed = true
      return 0
    }
    return Int(value)
  }

  /// `se(v)`.
  mutating func signed() -> Int {
    let value = Int(unsigned())
    return value & 1 == 1 ? (value + 1) / 2 : -(value / 2)
  }

  private mutating func load() -> Bool {
    guard position < bytes.count else { return false }
    if zeros >= 2, bytes[position] == 3 {
      position += 1
      zeros = 0
      guard position < bytes.count else { return false }
    }
    current = bytes[position]
    zeros = current == 0 ? zeros + 1 : 0
    position += 1
    bitsLeft = 8
    return true
  }
}
