/// One directory of a TIFF file, as EXIF uses them; little-endian. Entries are written in the order of their tags.
struct TIFFDirectory {
  private struct Entry {
    let tag: UInt16
    let type: UInt16
    let count: UInt32
    let value: [UInt8]
  }

  private var entries: [Entry] = []

  /// Text; other than ASCII stands as UTF-8, which every reader of today takes.
  mutating func text(_ tag: UInt16, _ text: String?) {
    guard let text, !text.isEmpty else { return }
    let bytes = text.utf8.filter { $0 != 0 } + [0]
    add(tag, 2, bytes.count, bytes)
  }

  mutating func short(_ tag: UInt16, _ value: Int?) {
    guard let value else { return }
    add(tag, 3, 1, Self.bytes(UInt16(clamping: value)))
  }

  mutating func long(_ tag: UInt16, _ value: Int) { add(tag, 4, 1, Self.bytes(UInt32(clamping: value))) }

  mutating func rational(_ tag: UInt16, _ numerator: UInt32, _ denominator: UInt32) {
    add(tag, 5, 1, Self.bytes(numerator) + Self.bytes(denominator))
  }

  mutating func undefined(_ tag: UInt16, _ bytes: [UInt8]) { add(tag, 7, bytes.count, bytes) }

  private mutating func add(_ tag: UInt16, _ type: UInt16, _ count: Int, _ value: [UInt8]) {
    entries.append(Entry(tag: tag, type: type, count: UInt32(count), value: value))
  }

  /// With the values that do not fit into their entries behind them.
  var byteCount: Int {
    2 + entries.count * 12 + 4 + entries.reduce(0) { $0 + ($1.value.count > 4 ? ($1.value.count + 1) & ~1 : 0) }
  }

  /// - Parameter offset: where it stands in the file; even.
  func bytes(at offset: Int) -> [UInt8] {
    var head = Self.bytes(UInt16(entries.count))
    var values: [UInt8] = []
    let valuesAt = offset + 2 + entries.count * 12 + 4
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      head += Self.bytes(entry.tag) + Self.bytes(entry.type) + Self.bytes(entry.count)
      if entry.value.count <= 4 {
        head += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        head += Self.bytes(UInt32(valuesAt + values.count))
        values += entry.value
        if values.count % 2 == 1 { values.append(0) }
      }
    }
    // No further directory.
    return head + [0, 0, 0, 0] + values
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
