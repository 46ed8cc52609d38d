import Glibc

/// The /64 that an IPv6 address belongs to.
enum IPv6Prefix {
  /// As hexadecimal digits, with the interface of a link-local address; the text itself where it is no address.
  static func of(_ address: String) -> String {
    let parts = address.split(separator: "%", maxSplits: 1)
    var bytes = in6_addr()
    guard let host = parts.first, inet_pton(AF_INET6, String(host), &bytes) == 1 else { return address }
    // Link-local neighbours share one prefix: each stands for itself.
    if address.hasPrefix("fe80:") { return address }
    return withUnsafeBytes(of: &bytes) { bytes in
      bytes.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
