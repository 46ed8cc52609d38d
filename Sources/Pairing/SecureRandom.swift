import CCertificates

enum SecureRandom {
  static func bytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return ccert_random(&bytes, count) == 1 ? bytes : nil
  }

  /// Each digit as likely as another.
  static func digits(_ count: Int) -> String? {
    var digits = ""
    while digits.utf8.count < count {
      guard let bytes = bytes(count) else { return nil }
      // 250 is the last multiple of ten below 256.
      for byte in bytes where byte < 250 && digits.utf8.count < count { digits += String(byte % 10) }
    }
    return digits
  }
}
