/// Where a rig is in the network, as people write it.
package struct RigAddress: Hashable, Sendable, CustomStringConvertible {
  package static let usualPort: UInt16 = 8470

  package let host: String
  package let port: UInt16

  package init(host: String, port: UInt16 = usualPort) {
    self.host = host
    self.port = port
  }

  /// `HOST`, `HOST:PORT`, an IPv6 address with or without brackets, or one of the rig's pages
  /// (`https://HOST:PORT/…`). Nil where it is none of them.
  package init?(_ text: String) {
    var rest = text[...]
    if let scheme = rest.firstRange(of: "://") {
      guard rest[..<scheme.lowerBound].lowercased() == "https" else { return nil }
      rest = rest[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }
    let (host, port) = Self.parts(rest)
    let isName = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#@\\\"+".utf8.contains($0) }
    guard !host.isEmpty, host.utf8.count <= 253, isName else { return nil }
    guard let port = port.map({ UInt16($0) }) ?? Self.usualPort, port > 0 else { return nil }
    self.init(host: host.lowercased(), port: port)
  }

  private static func parts(_ text: Substring) -> (host: Substring, port: Substring?) {
    if text.first == "[", let end = text.firstIndex(of: "]") {
      let behind = text[text.index(after: end)...]
      // What stands behind the bracket and is no port is said by a port that cannot be read.
      return (
        text[text.index(after: text.startIndex)..<end],
        behind.isEmpty ? nil : behind.first == ":" ? behind.dropFirst() : "?"
      )
    }
    guard let colon = text.lastIndex(of: ":"), text.firstIndex(of: ":") == colon else { return (text, nil) }
    return (text[..<colon], text[text.index(after: colon)...])
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
