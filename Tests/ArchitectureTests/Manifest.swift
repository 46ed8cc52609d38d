/// What Package.swift says of the targets, read as text: their order is the order of the layers.
struct Manifest {
  struct Target {
    let name: String
    let dependencies: [String]
  }

  /// In the order of the file, tests and the package's own name left out.
  let targets: [Target]

  init(_ text: String) {
    // From the list on: above it stand the helpers that make targets.
    let list = text.range(of: "targets: [\n", after: "products:").map { text[$0...] } ?? ""
    var targets: [Target] = []
    for entry in Self.calls(in: list) where entry.kind != "tests" {
      guard let name = entry.quoted.first else { continue }
      let dependencies = entry.kind == "library" ? [] : Array(entry.quoted.dropFirst())
      targets.append(Target(name: name, dependencies: dependencies))
    }
    self.targets = targets
  }

  subscript(_ name: String) -> Target? { targets.first { $0.name == name } }

  func position(_ name: String) -> Int? { targets.firstIndex { $0.name == name } }

  private struct Call {
    var kind: String
    var quoted: [String]
  }

  /// `kind("a", ["b", "c"])`, over as many lines as it takes.
  private static func calls(in text: Substring) -> [Call] {
    let kinds = ["module", "program", "library", "tests", ".target", ".executableTarget", ".systemLibrary"]
    var calls: [Call] = []
    for line in text.split(separator: "\n") {
      let trimmed = line.drop { $0 == " " }
      if trimmed.hasPrefix("//") { continue }
      var rest = trimmed
      if let kind = kinds.first(where: { trimmed.hasPrefix($0 + "(") }) {
        calls.append(Call(kind: kind, quoted: []))
        rest = trimmed.dropFirst(kind.count)
      }
      guard !calls.isEmpty else { continue }
      // Folders and files are no targets.
      if let start = rest.firstRange(of: "exclude: ["), let end = rest[start.upperBound...].firstIndex(of: "]") {
        rest = rest[..<start.lowerBound] + rest[end...]
      }
      let parts = rest.split(separator: "\"", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() where index % 2 == 1 {
        if ["path: ", "headerSearchPath("].contains(where: { parts[index - 1].hasSuffix($0) }) {
          continue
        }
        calls[calls.count - 1].quoted.append(String(part))
      }
    }
    return calls
  }
}

extension String {
  /// Where `needle` ends, looked for behind `start`.
  fileprivate func range(of needle: String, after start: String) -> String.Index? {
    guard let from = firstRange(of: start)?.upperBound else { return nil }
    return self[from...].firstRange(of: needle)?.upperBound
  }
}
