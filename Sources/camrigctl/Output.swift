import CLinux
import CamrigModel
import FoundationEssentials
import Glibc

func print(_ line: String) {
  var bytes = Array(line.utf8)
  bytes.append(10)
  let result = bytes.withUnsafeBytes { cl_put_output($0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count) }
  // Nobody reads any more. libwebsockets has had the signal ignored by which a program ends then.
  if result == -EPIPE {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
  }
}

func printError(_ line: String) {
  var bytes = Array("camrigctl: \(line)\n".utf8)
  bytes.withUnsafeMutableBytes { cl_put_error($0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count) }
}

/// Not `exit`: there OpenSSL clears away what the thread of a connection may just be closing it with.
func exitProcess(with status: Int32) -> Never {
  fflush(nil)
  _exit(status)
}

/// Rows in columns as wide as their widest cell; the first row is the heading.
func printTable(_ rows: [[String]]) {
  var widths: [Int] = []
  for row in rows {
    for (column, cell) in row.enumerated() {
      if column == widths.count { widths.append(0) }
      widths[column] = max(widths[column], cell.count)
    }
  }
  for row in rows {
    var line = ""
    for (column, cell) in row.enumerated() {
      line += cell
      if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
    }
    print(line)
  }
}

/// One JSON document, or one line of it for `watch`.
func printJSON(_ value: JSONValue, pretty: Bool = true) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting =
    pretty ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
  print(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// `1:02:03` or `12.3 s`
func text(seconds: Double) -> String {
  if seconds < 60 { return decimal(seconds) + " s" }
  let whole = Int(seconds.rounded())
  func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
  return whole >= 3600
    ? "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))" : "\(whole / 60):\(two(whole % 60)) min"
}

/// With a unit of 1000: `12.3 GB`
func text(bytes: Int64) -> String {
  var value = Double(bytes)
  for unit in ["B", "kB", "MB", "GB", "TB"] {
    if value < 1000 || unit == "TB" { return (unit == "B" ? "\(bytes)" : decimal(value)) + " " + unit }
    value /= 1000
  }
  return "\(bytes) B"
}

/// One digit after the point; `String(format:)` would bring in all of ICU.
func decimal(_ value: Double) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return "?" }
  let tenths = Int((abs(value) * 10).rounded())
  return "\(value < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
}

/// `2026-11-30 09:05:07` of an RFC 3339 time.
func text(time: WallTime) -> String {
  String(time.rfc3339.prefix(19)).split(separator: "T").joined(separator: " ")
}
