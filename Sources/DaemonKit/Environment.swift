import Glibc

/// The environment variables as they were when it was made. Tests pass their own.
package struct Environment: Sendable {
  private let values: [String: String]

  package init(_ values: [String: String]) { self.values = values }

  /// Those of this process.
  package static var process: Environment {
    var values: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return Environment(values)
  }

  /// Nil where it is not set, or empty.
  package subscript(_ name: String) -> String? {
    guard let value = values[name], !value.isEmpty else { return nil }
    return value
  }
}
