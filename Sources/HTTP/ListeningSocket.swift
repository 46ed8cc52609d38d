import CLinux
import DaemonKit
import Glibc

/// A socket on which others connect, before any server serves it.
package final class ListeningSocket: Sendable {
  /// Where it really is: with the port that was free.
  package let place: ListenPlace
  let descriptor: Int32
  /// Nil where it has no name in the file system that is ours.
  private let listener: UnixListener?

  private init(_ place: ListenPlace, _ descriptor: Int32, _ listener: UnixListener? = nil) {
    self.place = place
    self.descriptor = descriptor
    self.listener = listener
  }

  deinit {
    if let listener { listener.withdraw() } else { close(descriptor) }
  }

  var isLocal: Bool {
    if case .path = place { true } else { Self.family(descriptor) == AF_UNIX }
  }

  package static func open(_ place: ListenPlace) throws(HTTPServerError) -> ListeningSocket {
    switch place {
    case .network(let address, let port): try network(address, port)
    case .path(let path, let mode): try local(path, mode)
    case .inherited(let descriptor): try inherited(descriptor)
    }
  }

  // MARK: Network

  private static func network(_ address: String?, _ port: UInt16) throws(HTTPServerError) -> ListeningSocket {
    if let address { return try bound(.network(address: address, port: port), address, port) }
    do throws(HTTPServerError) {
      return try bound(.network(address: nil, port: port), "::", port)
    } catch {
      // A kernel without IPv6.
      switch error {
      case .noSuchAddress, .failed(_, EAFNOSUPPORT):
        return try bound(.network(address: nil, port: port), "0.0.0.0", port)
      default: throw error
      }
    }
  }

  private static func bound(
    _ place: ListenPlace, _ address: String, _ port: UInt16
  ) throws(HTTPServerError) -> ListeningSocket {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, String(port), &hints, &found) == 0, let info = found else { throw .noSuchAddress(place) }
    defer { freeaddrinfo(info) }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(info.pointee.ai_family, kind, 0)
    guard descriptor >= 0 else { throw .failed(place, errno) }
    var on: Int32 = 1
    var off: Int32 = 0
    // A daemon that starts again must not wait for the connections of the one before to be forgotten.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
    if info.pointee.ai_family == AF_INET6, address == "::" {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, 4)
    }
    guard bind(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0, listen(descriptor, 128) == 0 else {
      let code = errno
      close(descriptor)
      switch code {
      case EADDRINUSE: throw .portTaken(place)
      case EADDRNOTAVAIL: throw .noSuchAddress(place)
      case EACCES: throw .notPermitted(place)
      default: throw .failed(place, code)
      }
    }
    guard case .network(let host, _) = place else { return ListeningSocket(place, descriptor) }
    let real = SocketName.own(descriptor)?.port ?? port
    return ListeningSocket(.network(address: host, port: real), descriptor)
  }

  // MARK: Unix sockets

  private static func local(_ path: String, _ mode: UInt32) throws(HTTPServerError) -> ListeningSocket {
    let place = ListenPlace.path(path, mode: mode)
    do throws(UnixListener.Fault) {
      let listener = try UnixListener.open(path, mode: mode)
      return ListeningSocket(place, listener.descriptor, listener)
    } catch {
      switch error {
      case .anotherAnswers: throw .anotherAnswers(path)
      case .notASocket: throw .notASocket(path)
      case .pathTooLong: throw .pathTooLong(path)
      case .noDirectory: throw .noDirectory(path)
      case .failed(let code): throw .failed(place, code)
      }
    }
  }

  // MARK: Socket activation

  private static func inherited(_ descriptor: Int32) throws(HTTPServerError) -> ListeningSocket {
    var isListening: Int32 = 0
    var size = socklen_t(4)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening == 1 else {
      throw .notListening(.inherited(descriptor))
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    if let name = SocketName.own(descriptor) {
      let address = name.address == "::" || name.address == "0.0.0.0" ? nil : name.address
      return ListeningSocket(.network(address: address, port: name.port), descriptor)
    }
    return ListeningSocket(.inherited(descriptor), descriptor)
  }

  private static func family(_ descriptor: Int32) -> Int32 {
    var domain: Int32 = 0
    var size = socklen_t(4)
    getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size)
    return domain
  }
}
