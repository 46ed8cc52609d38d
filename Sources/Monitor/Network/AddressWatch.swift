import CLinux
import Dispatch
import Glibc

/// Tells when this machine's addresses change, and which they are.
final class AddressWatch: Sendable {
  // Dispatch sources may be used from any thread; they only do not say so.
  nonisolated(unsafe) private let source: any DispatchSourceRead

  /// Nil where the kernel does not tell.
  init?(_ changed: @escaping @Sendable () -> Void) {
    let descriptor = cl_address_watch()
    guard descriptor >= 0 else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      var buffer = [UInt8](repeating: 0, count: 8192)
      while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
      changed()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }

  /// Of all interfaces that are up, but the loopback's and those that only the own link knows.
  static var addresses: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [String] = []
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      guard let address = entry.pointee.ifa_addr, entry.pointee.ifa_flags & UInt32(IFF_UP) != 0,
        entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      let family = Int32(address.pointee.sa_family)
      guard family == AF_INET || family == AF_INET6 else { continue }
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      guard getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if !name.contains("%"), !found.contains(name) { found.append(name) }
    }
    return found
  }
}
