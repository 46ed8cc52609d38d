import CLinux
import CamrigModel
import Glibc

/// A monitor that says whatever a test wants, byte by byte. Blocks.
/// Unchecked: a test hands it from one thread to the next and never uses it on two at once.
package final class RawMonitor: @unchecked Sendable {
  package struct Refused: Error { package let code: Int32 }

  package let descriptor: Int32
  private var input = LineSplitter(limit: 8 << 20)

  package init(_ path: String) throws {
    descriptor = cl_unix_socket()
    var result = cl_unix_connect(descriptor, path)
    while result == -EAGAIN {
      poll(nil, 0, 1)
      result = cl_unix_connect(descriptor, path)
    }
    guard result == 0 else { throw Refused(code: -result) }
  }

  package init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// False once nobody takes it any more.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let n = bytes.withUnsafeBytes { cl_send(descriptor, $0.baseAddress! + sent, bytes.count - sent) }
      if n > 0 {
        sent += n
      } else if n == -Int(EAGAIN) {
        guard wait(Int16(POLLOUT)) else { return false }
      } else {
        return false
      }
    }
    return true
  }

  @discardableResult
  package func send(_ line: String) -> Bool { send(Array(line.utf8) + [0x0A]) }

  package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next line; nil at the end of the connection, or when none came in 100 s.
  package func line() -> String? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      if case .line(let bytes) = input.next() { return String(decoding: bytes, as: UTF8.self) }
      let n = buffer.withUnsafeMutableBytes { cl_read(descriptor, $0.baseAddress!, $0.count) }
      if n > 0 {
        input.append(buffer[..<n])
      } else if n != -Int(EAGAIN) || !wait(Int16(POLLIN)) {
        return nil
      }
    }
  }

  private func wait(_ events: Int16) -> Bool {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    return poll(&entry, 1, 100_000) > 0
  }
}
