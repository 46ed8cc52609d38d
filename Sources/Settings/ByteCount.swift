/// Sizes as systemd writes them: `2G`, `512M`, `1.5G`, bare bytes; K is 1024.
package enum ByteCount {
  private static let units: [(name: Character, bytes: Int64)] = [
    ("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
  ]

  /// Nil where `text` is no size, or one beyond 63 bits.
  package static func parse(_ text: String) -> Int64? {
    guard let last = text.last else { return nil }
    if let unit = units.first(where: { $0.name == last }) {
      return Decimal(text.dropLast()).flatMap { $0.times(unit.bytes) }
    }
    return Decimal(last == "B" ? text.dropLast() : text[...]).flatMap { $0.isWhole ? $0.times(1) : nil }
  }

  /// With the largest unit that leaves no rest.
  package static func text(_ bytes: Int64) -> String {
    for unit in units where bytes != 0 && bytes % unit.bytes == 0 { return "\(bytes / unit.bytes)\(unit.name)" }
    return String(bytes)
  }
}
