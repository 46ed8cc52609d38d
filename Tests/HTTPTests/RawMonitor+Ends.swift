import CLinux
import Glibc
import TestSupport

extension RawMonitor {
  /// All lines to the end of the connection.
  func rest() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line.hasSuffix("\r") ? String(line.dropLast()) : line) }
    return lines
  }

  /// The lines of a head, to the empty one.
  func responseHead() -> [String] {
    var lines: [String] = []
    while let line = line() {
      let text = line.hasSuffix("\r") ? String(line.dropLast()) : line
      if text.isEmpty { return lines }
      lines.append(text)
    }
    return lines
  }

  /// Bytes to the end of the connection.
  func count() -> Int {
    var bytes = 0
    while let line = line() { bytes += line.utf8.count + 1 }
    return bytes
  }

  /// Nothing comes any more, with nothing unread. Waits for it so many milliseconds.
  func hasEnded(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return false }
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    return count == 0 || (count < 0 && errno != EAGAIN)
  }

  /// The other side has closed, whatever is unread.
  func hasHungUp(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&entry, 1, milliseconds) > 0 && entry.revents & Int16(POLLHUP | POLLERR) != 0
  }
}
