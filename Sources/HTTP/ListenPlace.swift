/// Where a server can be reached.
package enum ListenPlace: Hashable, Sendable, CustomStringConvertible {
  /// A numeric address; nil: all, IPv6 and IPv4. Port 0 is any free one.
  case network(address: String?, port: UInt16)
  /// A Unix socket with these permissions.
  case path(String, mode: UInt32)
  /// A listening socket that systemd handed over.
  case inherited(Int32)

  /// `ADDR:PORT`, `[ADDR]:PORT`, `*:PORT`, `:PORT` or `PORT`.
  package init?(_ text: String) {
    let colon = text.lastIndex(of: ":")
    let port = colon.map { text[text.index(after: $0)...] } ?? text[...]
    guard !port.isEmpty, port.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt16(port) else { return nil }
    var address = colon.map { text[..<$0] } ?? "*"
    if address.hasPrefix("["), address.hasSuffix("]") {
      address = address.dropFirst().dropLast()
      guard address.contains(":") else { return nil }
    } else if address.contains(":") {
      return nil
    }
    self = .network(address: address.isEmpty || address == "*" ? nil : String(address), port: number)
  }

  /// Nil where only this machine reaches it.
  package var portInNetwork: UInt16? {
    guard case .network(let address, let port) = self else { return nil }
    guard let address else { return port }
    return address == "::1" || address.hasPrefix("127.") ? nil : port
  }

  package var description: String {
    switch self {
    case .network(nil, let port): "*:\(port)"
    case .network(let address?, let port): address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    case .path(let path, _): path
    case .inherited: "the socket given by systemd"
    }
  }
}
