import CSystemd
import Glibc

/// Lines for the journal with fields that `journalctl` can search by: CAMRIG_CAMERA=, CAMRIG_TAKE=, MESSAGE_ID=.
package struct JournalSink: LogSink {
  private let standardError = StandardErrorSink()

  package init() {}

  package func write(_ line: LogLine) {
    let fields = Self.fields(of: line)
    var parts: [iovec] = fields.map { field in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: field.count, alignment: 1)
      copy.copyBytes(from: field)
      return iovec(iov_base: copy.baseAddress, iov_len: copy.count)
    }
    defer { for part in parts { part.iov_base.deallocate() } }
    let result = parts.withUnsafeMutableBufferPointer { sd_journal_sendv($0.baseAddress, Int32($0.count)) }
    // A journal that does not take it must not cost the line.
    if result < 0 { standardError.write(line) }
  }

  /// `NAME=value` each, as the journal's native protocol wants them.
  package static func fields(of line: LogLine) -> [[UInt8]] {
    var fields = [
      "MESSAGE=\(line.text)", "PRIORITY=\(line.level.rawValue)", "SYSLOG_IDENTIFIER=camrigd",
    ]
    if let event = line.event { fields.append("MESSAGE_ID=\(event.rawValue)") }
    if let camera = line.camera { fields.append("CAMRIG_CAMERA=\(camera)") }
    if let take = line.take { fields.append("CAMRIG_TAKE=\(take)") }
    for (name, value) in line.fields.sorted(by: { $0.key < $1.key }) where isName(name) {
      fields.append("\(name)=\(value)")
    }
    return fields.map { Array($0.utf8) }
  }

  // The journal refuses the whole line for one wrong name.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 64, (65...90).contains(first) else { return false }
    return name.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 95 }
  }

  /// Whether standard error leads to the journal: then systemd has started us, and fields are worth more than text.
  package static func isOurs(_ environment: Environment) -> Bool {
    guard let stream = environment["JOURNAL_STREAM"] else { return false }
    let parts = stream.split(separator: ":")
    var status = stat()
    guard parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1]), fstat(2, &status) == 0
    else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }
}

extension Log {
  /// To the journal where systemd has started us, else to standard error; trouble that repeats is counted.
  package static func standard(_ environment: Environment, lowest: LogLine.Level = .info) -> Log {
    let sink: any LogSink = JournalSink.isOurs(environment) ? JournalSink() : StandardErrorSink()
    return Log(ThrottledSink(sink), lowest: lowest)
  }
}
