/// Texts in URLs and in headers of RFC 8187.
package enum PercentEncoding {
  private static let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)

  /// Everything but unreserved letters and digits, so that it fits a path's part as well as a query's value.
  package static func encode(_ text: String) -> String {
    text.utf8.map { byte in
      unreserved.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
