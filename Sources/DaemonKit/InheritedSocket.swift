import Glibc

/// A socket that systemd opened for the service (systemd.socket(5)), and keeps while the service starts again.
package struct InheritedSocket: Hashable, Sendable {
  /// What it can be used for, by its kind: whatever its unit is called.
  package enum Kind: Hashable, Sendable {
    /// For monitors in the network.
    case network
    /// For programs on this machine.
    case local
    /// It does not wait for others, or speaks no stream.
    case other
  }

  package let descriptor: Int32
  /// `FileDescriptorName=` of its unit, the unit's name where that says nothing; empty where systemd is too old.
  package let name: String

  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  package var kind: Kind {
    guard option(SO_ACCEPTCONN) == 1, option(SO_TYPE) == Int32(SOCK_STREAM.rawValue) else { return .other }
    switch option(SO_DOMAIN) {
    case AF_INET, AF_INET6: return .network
    case AF_UNIX: return .local
    default: return .other
    }
  }

  /// Nil where it is no socket at all.
  private func option(_ name: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(4)
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }
}
