/// Reads boxes from an array and never past its end: whatever is not there is nil.
struct BoxReader {
  private let bytes: [UInt8]
  private var at: Int
  private let end: Int

  init(_ bytes: [UInt8]) { self.init(bytes, 0, bytes.count) }

  private init(_ bytes: [UInt8], _ at: Int, _ end: Int) {
    self.bytes = bytes
    self.at = at
    self.end = end
  }

  var remaining: Int { end - at }

  mutating func u8() -> Int? { number(1).map(Int.init) }
  mutating func u16() -> Int? { number(2).map(Int.init) }
  mutating func u32() -> UInt32? { number(4).map { UInt32(truncatingIfNeeded: $0) } }
  mutating func u64() -> UInt64? { number(8) }
  mutating func i64() -> Int64? { number(8).map { Int64(bitPattern: $0) } }
  mutating func type() -> BoxType? { u32().map(BoxType.init(rawValue:)) }

  mutating func raw(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining else { return nil }
    defer { at += count }
    return bytes[at..<at + count]
  }

  mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, count <= remaining else { return false }
    at += count
    return true
  }

  /// The next box, if it is whole.
  mutating func box() -> (type: BoxType, body: BoxReader)? {
    var ahead = self
    guard let size = ahead.u32(), let type = ahead.type(), size >= 8, Int(size) <= remaining else { return nil }
    let body = BoxReader(bytes, at + 8, at + Int(size))
    at += Int(size)
    return (type, body)
  }

  /// The next box if it has this type, without it being read over otherwise.
  mutating func box(_ wanted: BoxType) -> BoxReader? {
    var ahead = self
    guard let (type, body) = ahead.box(), type == wanted else { return nil }
    self = ahead
    return body
  }

  /// The first box of this type among those that follow.
  func first(_ wanted: BoxType) -> BoxReader? {
    var ahead = self
    while let (type, body) = ahead.box() {
      if type == wanted { return body }
    }
    return nil
  }

  /// Version and flags of a full box.
  mutating func versionAndFlags() -> UInt32? { u32() }

  private mutating func number(_ count: Int) -> UInt64? {
    guard count <= remaining else { return nil }
    var value: UInt64 = 0
    for place in at..<at + count { value = value << 8 | UInt64(bytes[place]) }
    at += count
    return value
  }
}
