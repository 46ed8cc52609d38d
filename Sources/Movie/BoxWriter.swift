/// Builds boxes in an array. All numbers are big-endian, as ISO base media wants.
struct BoxWriter {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  mutating func u8(_ value: Int) { bytes.append(UInt8(truncatingIfNeeded: value)) }
  mutating func u16(_ value: Int) { put(UInt16(truncatingIfNeeded: value)) }
  mutating func u32(_ value: Int) { put(UInt32(truncatingIfNeeded: value)) }
  mutating func u32(_ value: UInt32) { put(value) }
  mutating func u64(_ value: Int64) { put(value) }
  mutating func u64(_ value: UInt64) { put(value) }
  mutating func type(_ value: BoxType) { put(value.rawValue) }
  mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }
  mutating func raw(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  mutating func box(_ type: BoxType, _ body: (inout BoxWriter) -> Void) {
    let start = count
    u32(0)
    self.type(type)
    body(&self)
    patch(UInt32(count - start), at: start)
  }

  mutating func fullBox(_ type: BoxType, version: Int = 0, flags: Int = 0, _ body: (inout BoxWriter) -> Void) {
    box(type) {
      $0.u32(version << 24 | flags)
      body(&$0)
    }
  }

  mutating func patch(_ value: some FixedWidthInteger, at offset: Int) {
    withUnsafeBytes(of: value.bigEndian) { for (place, byte) in $0.enumerated() { bytes[offset + place] = byte } }
  }

  private mutating func put(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
