/// Numbers out of bytes that a file gave; never beyond their end.
struct LittleEndianReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var left: Int { bytes.count - offset }

  mutating func take(_ count: Int) -> [UInt8]? {
    guard count <= left else { return nil }
    defer { offset += count }
    return Array(bytes[offset..<(offset + count)])
  }

  mutating func number<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    guard let bytes = take(MemoryLayout<T>.size) else { return nil }
    return bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(as: T.self)) }
  }
}
