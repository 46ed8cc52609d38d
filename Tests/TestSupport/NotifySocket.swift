import CLinux
import Glibc

/// A `NOTIFY_SOCKET` that a test reads.
package final class NotifySocket: Sendable {
  private let directory: TemporaryDirectory?
  private let descriptor: Int32
  package let path: String

  /// - Parameter path: of a directory that outlives it; nil: one of its own.
  package init(_ path: String? = nil) {
    directory = path == nil ? TemporaryDirectory() : nil
    self.path = path ?? (directory?.path ?? "") + "/notify"
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    precondition(cl_unix_bind(descriptor, self.path) == 0, "a test needs its socket")
    // The service may run as somebody else.
    chmod(self.path, 0o666)
  }

  deinit { close(descriptor) }

  /// The next message, waiting for it; nil after 20 s.
  package func next() -> String? { next(waiting: 20_000) }

  /// A message that is there already.
  package func poll() -> String? { next(waiting: 0) }

  package var isEmpty: Bool { !isReadable(0) }

  private func next(waiting milliseconds: Int32) -> String? {
    guard isReadable(milliseconds) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func isReadable(_ milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&entry, 1, milliseconds) > 0
  }
}
