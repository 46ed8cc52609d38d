import CLinux

/// Plain lines on standard error: for terminals, and for whoever pipes it elsewhere.
package struct StandardErrorSink: LogSink {
  package init() {}

  package func write(_ line: LogLine) {
    let bytes = Array(Self.text(of: line).utf8)
    // One write a line, so that lines of several threads do not mix.
    bytes.withUnsafeBytes { cl_put_error($0.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count) }
  }

  /// `warning: [usb-046d-…] the message`, ended by a line feed. Whatever a device calls itself, it stays one line.
  package static func text(of line: LogLine) -> String {
    let level =
      switch line.level {
      case .error: "error: "
      case .warning: "warning: "
      case .notice, .info: ""
      case .debug: "debug: "
      }
    let text = String(line.text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
    return level + text + "\n"
  }
}
