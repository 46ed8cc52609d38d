import DaemonKit

/// One reading of the configuration's files: collects values, problems and warnings.
struct ConfigurationReading {
  private let schema: ConfigurationSchema
  private var configuration = Configuration()
  private var problems: [ConfigurationError.Problem] = []
  private var warnings: [String] = []

  init(schema: ConfigurationSchema) { self.schema = schema }

  mutating func warn(_ text: String) { warnings.append(text) }

  mutating func refuse(_ error: FileError) {
    problems.append(.init(file: error.path, line: nil, text: error.description))
  }

  mutating func add(_ bytes: [UInt8], file: String) {
    let content = INIFile(bytes)
    for problem in content.problems { refuse(file, problem.line, problem.text) }
    for heading in content.sections where !knows(section: heading.name) {
      refuse(file, heading.line, unknown(section: heading.name))
    }
    // A key under its present name wins over its former name, wherever each stands.
    let current = Set(content.entries.map { "\($0.section).\($0.key)" })
    for entry in content.entries {
      let name = "\(entry.section).\(entry.key)"
      if let key = schema.keys.first(where: { $0.fullName == name }) {
        set(key, entry, file)
      } else if let key = schema.keys.first(where: { $0.formerNames.contains(name) }) {
        let wins = !current.contains(key.fullName)
        warn(
          "\(file):\(entry.line): [\(entry.section)] \(entry.key)= is now called [\(key.section)] \(key.name)=. "
            + (wins ? "It still works; please rename it." : "It is ignored, because \(key.name)= is there too."))
        if wins { set(key, entry, file) }
      } else if let advice = schema.retired[name] {
        warn("\(file):\(entry.line): [\(entry.section)] \(entry.key)= does nothing any more: \(advice)")
      } else if knows(section: entry.section) {
        // Else the section's heading has been reported, and that is enough.
        refuse(file, entry.line, unknown(key: entry))
      }
    }
  }

  func finish() throws(ConfigurationError) -> (Configuration, warnings: [String]) {
    guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    return (configuration, warnings)
  }

  private mutating func set(_ key: ConfigurationKey, _ entry: INIFile.Entry, _ file: String) {
    // As with systemd, an empty value brings back the default.
    let text = entry.value.isEmpty ? key.value.write(Configuration()) : entry.value
    guard !key.value.read(text, &configuration) else { return }
    var problem = "[\(entry.section)] \(entry.key)=\(INIFile.quoted(entry.value)) must be \(key.value.allowed)."
    if entry.value.contains("#") || entry.value.contains(";") { problem += " A comment needs a line of its own." }
    if entry.value.hasPrefix("\"") || entry.value.hasPrefix("'") { problem += " Write it without quotation marks." }
    if entry.value.contains("×") { problem += " Write the letter x, not ×." }
    refuse(file, entry.line, problem)
  }

  private mutating func refuse(_ file: String, _ line: Int, _ text: String) {
    problems.append(.init(file: file, line: line, text: text))
  }

  /// Also a section that only earlier releases had.
  private func knows(section: String) -> Bool {
    let former = schema.keys.flatMap(\.formerNames) + schema.retired.keys
    return schema.sections.contains { $0.name == section } || former.contains { $0.hasPrefix(section + ".") }
  }

  private func unknown(section: String) -> String {
    let names = schema.sections.map(\.name)
    var text = "[\(INIFile.quoted(section).dropFirst().dropLast())] is no section of this file."
    if let near = Nearest.to(section, among: names) { text += " Did you mean [\(near)]?" }
    return text + " The sections are \(names.map { "[\($0)]" }.joined(separator: ", "))."
  }

  private func unknown(key entry: INIFile.Entry) -> String {
    let place = "[\(entry.section)] has no key \(INIFile.quoted(entry.key))."
    if let elsewhere = schema.keys.first(where: { $0.name == entry.key }) {
      return "\(place) \(entry.key)= belongs to [\(elsewhere.section)]."
    }
    let here = schema.keys(of: entry.section)
    let near =
      Nearest.to(entry.key, among: here.map(\.name)).flatMap { name in here.first { $0.name == name } }
      ?? Nearest.to(entry.key, among: schema.keys.map(\.name)).flatMap { name in
        schema.keys.first { $0.name == name }
      }
    if let near {
      let section = near.section == entry.section ? "" : "[\(near.section)] "
      return "\(place) Did you mean \(section)\(near.name)=, \(near.value.allowed)?"
    }
    return "\(place) Its keys are \(here.map(\.name).joined(separator: ", "))."
  }
}
