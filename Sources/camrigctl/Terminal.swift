import CLinux
import Glibc

/// The person before the terminal, if there is one. Talks on the standard error, so that output can go elsewhere.
enum Terminal {
  static var isThere: Bool { isatty(0) == 1 && isatty(2) == 1 }

  static func say(_ text: String, end: String = "\n") {
    let bytes = Array((text + end).utf8)
    bytes.withUnsafeBytes { cl_put_error($0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count) }
  }

  /// Empty where nothing comes any more.
  static func ask(_ question: String) -> String {
    say(question, end: "")
    return readLine() ?? ""
  }

  /// Anything but y and yes is a no.
  static func confirms(_ question: String) -> Bool {
    ["y", "yes"].contains(ask("\(question) [y/N] ").lowercased())
  }
}
