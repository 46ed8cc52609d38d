/// An option that a program knows.
package struct OptionSyntax: Hashable, Sendable {
  /// `--config`
  package let name: String
  /// What stands for its value in the help (`FILE`); nil for a switch.
  package let value: String?
  package let help: String

  package init(_ name: String, value: String? = nil, help: String) {
    self.name = name
    self.value = value
    self.help = help
  }
}

/// A command line that cannot be understood; the sentence says why.
package struct UsageError: Error, Hashable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

/// What a command line says: options (`--name value`, `--name=value`) and words, in any order. After `--` all are words.
package struct CommandLineOptions: Hashable, Sendable {
  package private(set) var words: [String] = []
  private var values: [String: [String]] = [:]

  /// `arguments` are those after the program's name.
  package init(_ arguments: some Sequence<String>, known: [OptionSyntax]) throws(UsageError) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        words += rest
        return
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        words.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = known.first(where: { $0.name == name }) else { throw UsageError("unknown option \(name)") }
      var value = parts.count == 2 ? String(parts[1]) : nil
      if let wanted = option.value {
        value = value ?? rest.popFirst()
        guard value?.isEmpty == false else { throw UsageError("\(name) needs a value: \(name) \(wanted)") }
      } else if value != nil {
        throw UsageError("\(name) takes no value")
      }
      values[name, default: []].append(value ?? "")
    }
  }

  /// Whether the switch was given.
  package func has(_ name: String) -> Bool { values[name] != nil }

  /// The option's value; nil when it was not given. Given twice, the last one counts.
  package subscript(_ name: String) -> String? { values[name]?.last }

  /// Every value of an option that may be given several times.
  package func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The lines that `--help` shows for `known`.
  package static func help(_ known: [OptionSyntax]) -> String {
    let names = known.map { option in option.value.map { "\(option.name) \($0)" } ?? option.name }
    let width = names.map(\.count).max() ?? 0
    return zip(known, names).map { option, name in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(option.help)\n"
    }.joined()
  }
}
