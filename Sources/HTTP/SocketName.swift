import CLinux
import Glibc

/// The numeric name of one end of a network socket.
struct SocketName {
  let address: String
  let port: UInt16

  /// Nil where it is no network socket.
  static func own(_ descriptor: Int32) -> SocketName? { read { getsockname(descriptor, $0, $1) } }
  static func peer(_ descriptor: Int32) -> SocketName? { read { getpeername(descriptor, $0, $1) } }

  private static func read(
    _ ask: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> SocketName? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    let done = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        ask(address, &size) == 0
          && (address.pointee.sa_family == sa_family_t(AF_INET) || address.pointee.sa_family == sa_family_t(AF_INET6))
          && getnameinfo(
            address, size, &host, socklen_t(host.count), &service, socklen_t(service.count),
            NI_NUMERICHOST | NI_NUMERICSERV) == 0
      }
    }
    guard done, let port = UInt16(text(service)) else { return nil }
    let name = text(host)
    return SocketName(address: name.hasPrefix("::ffff:") ? String(name.dropFirst(7)) : name, port: port)
  }

  private static func text(_ chars: [CChar]) -> String {
    String(decoding: chars.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension HTTPPeer {
  /// Of a socket that was just accepted. Nil for one of the network whose other end has left.
  /// - Parameter isLocal: it came on a Unix socket.
  init?(_ descriptor: Int32, isLocal: Bool) {
    guard isLocal else {
      guard let name = SocketName.peer(descriptor) else { return nil }
      self = .network(address: name.address, port: name.port)
      return
    }
    var pid: Int32 = 0
    // Nobody: what a kernel that would not say leaves us with.
    var uid: UInt32 = .max
    var gid: UInt32 = .max
    _ = cl_peer(descriptor, &pid, &uid, &gid)
    self = .process(pid: pid, uid: uid, gid: gid)
  }
}
