/// Makes parts of camera IDs out of what hardware says of itself: `A–Z a–z 0–9 . _ : -` and no more than 64 of them.
enum CameraIDText {
  /// Different texts stay different: one that had to be changed ends in a hash of what it was.
  static func safe(_ text: String) -> String {
    var safe = String(decoding: text.utf8.prefix(64).map { isSafe($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    guard safe != text else { return safe }
    safe = String(safe.prefix(48))
    return "\(safe)_\(hash(text))"
  }

  /// A path in the device tree: without the slash at its front, `-` between its parts, `_` for the `@`.
  static func safePath(_ text: String) -> String {
    let parts = text.split(separator: "/").map { part in String(part.map { $0 == "@" ? "_" : $0 }) }
    return safe(parts.joined(separator: "-"))
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// FNV-1a, 32 bits, in hex.
  private static func hash(_ text: String) -> String {
    let hash = text.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
