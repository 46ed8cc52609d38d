/// What a rig's authority may sign for: names and addresses that mean nothing outside of the own network. Phones and browsers
/// trust it as they trust any other authority, and its key lies on a card that can be stolen: with these bounds it could
/// not pass for anybody else.
enum CertificateNames {
  /// With everything below them. By multicast DNS, by RFC 6762, 6761 and 8375, by ICANN's choice for private use, and what
  /// networks are called that nobody can register. Not `fritz.box`: that name is somebody's in the world, too.
  static let domains = [
    "local", "localhost", "home.arpa", "internal", "lan", "home", "private", "intranet", "corp",
  ]

  /// Private (RFC 1918, 6598, 4193), link-local, and the machine itself.
  static let networks = [
    "127.0.0.0/255.0.0.0", "10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0",
    "169.254.0.0/255.255.0.0", "100.64.0.0/255.192.0.0", "::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fc00::/fe00::",
    "fe80::/ffc0::",
  ]

  /// As OpenSSL reads them.
  static func constraints(host: String?) -> String {
    let own = host.map { domains.contains($0) ? [] : [$0] } ?? []
    let parts = (domains + own).map { "permitted;DNS:\($0)" } + networks.map { "permitted;IP:\($0)" }
    return "critical," + parts.joined(separator: ",")
  }
}
