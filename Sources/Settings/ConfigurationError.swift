/// Why a configuration is refused: everything that is wrong with it, so that one look repairs it.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  package struct Problem: Hashable, Sendable, CustomStringConvertible {
    package let file: String
    /// From 1; nil where the file as a whole is meant.
    package let line: Int?
    package let text: String

    package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(text)" }
  }

  package let problems: [Problem]

  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
