/// Who is at the other end of a connection.
package enum HTTPPeer: Hashable, Sendable, CustomStringConvertible {
  /// A numeric address without port, such as `192.0.2.7` or `fe80::1%eth0`; IPv4 is never written as IPv6.
  case network(address: String, port: UInt16)
  /// A program on this machine, on a Unix socket; as the kernel knew it when it connected.
  case process(pid: Int32, uid: UInt32, gid: UInt32)

  package var description: String {
    switch self {
    case .network(let address, _): address
    case .process(let pid, let uid, _): "process \(pid) of user \(uid)"
    }
  }

  /// On this machine.
  package var isLocal: Bool {
    switch self {
    case .process: true
    case .network(let address, _): address == "::1" || address.hasPrefix("127.")
    }
  }

  var isProcess: Bool {
    if case .process = self { true } else { false }
  }

  /// Those that share the limit of connections. An IPv6 host has a whole /64 to itself; local programs that have no
  /// network address are told apart by user.
  var group: String {
    switch self {
    case .process(_, let uid, _): "uid \(uid)"
    case .network(let address, _): address.contains(":") ? IPv6Prefix.of(address) : address
    }
  }
}
