/// An INI file as systemd writes them: `[Section]`, `Key=value`, comments after `#` or `;` on lines of their own, a
/// backslash at the end of a line continues it. Names keep their case. A section may come again.
/// What cannot be read is collected in `problems`; the rest is there nevertheless.
package struct INIFile: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package let section: String
    package let key: String
    package let value: String
    /// From 1.
    package let line: Int
  }

  package struct Problem: Hashable, Sendable {
    package let line: Int
    package let text: String
  }

  package struct Heading: Hashable, Sendable {
    package let name: String
    package let line: Int
  }

  package private(set) var entries: [Entry] = []
  package private(set) var problems: [Problem] = []

  /// In the order of their first heading, also the empty ones.
  package private(set) var sections: [Heading] = []

  private var isBelowBrokenHeading = false

  package init(_ bytes: [UInt8]) {
    var section: String?
    var continued: (text: String, line: Int)?
    var content = bytes[...]
    if content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
    if content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF]) {
      problems = [Problem(line: 1, text: "the file is in UTF-16. Save it as UTF-8.")]
      return
    }
    var number = 0
    for raw in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard let text = read(raw, number) else {
        continued = nil
        continue
      }
      let isComment = text.isEmpty || text.hasPrefix("#") || text.hasPrefix(";")
      if isComment, continued == nil || !text.isEmpty { continue }
      let start = continued?.line ?? number
      var whole = (continued?.text ?? "") + text
      if whole.hasSuffix("\\") {
        whole.removeLast()
        continued = (Self.trimmed(whole) + " ", start)
        continue
      }
      continued = nil
      take(Self.trimmed(whole), line: start, section: &section)
    }
    if let continued { take(Self.trimmed(continued.text), line: continued.line, section: &section) }
  }

  private mutating func take(_ text: String, line: Int, section: inout String?) {
    if text.hasPrefix("[") {
      guard text.hasSuffix("]"), text.count > 2, !text.dropFirst().dropLast().contains(where: { "[]".contains($0) })
      else {
        report(line, "\(Self.quoted(text)) is no section. Write it like [Recording], alone on its line.")
        section = nil
        isBelowBrokenHeading = true
        return
      }
      let name = Self.trimmed(String(text.dropFirst().dropLast()))
      section = name
      isBelowBrokenHeading = false
      if !sections.contains(where: { $0.name == name }) { sections.append(Heading(name: name, line: line)) }
      return
    }
    guard !text.isEmpty else { return }
    guard let equals = text.firstIndex(of: "=") else {
      report(line, "\(Self.quoted(text)) is neither Key=value, nor a [Section], nor a # comment.")
      return
    }
    let key = Self.trimmed(String(text[..<equals]))
    guard !key.isEmpty else {
      report(line, "\(Self.quoted(text)) has no key before the = sign.")
      return
    }
    guard let section else {
      // Then the heading has been reported, and its keys are judged once it is repaired.
      if isBelowBrokenHeading { return }
      report(line, "\(Self.quoted(key))= stands in no section. Put it below a line such as [Recording].")
      return
    }
    let value = Self.trimmed(String(text[text.index(after: equals)...]))
    entries.append(Entry(section: section, key: key, value: value, line: line))
  }

  private mutating func read(_ raw: ArraySlice<UInt8>, _ line: Int) -> String? {
    guard !raw.contains(0) else {
      report(line, "NUL bytes. The file is damaged (a power cut does that); restore it from a copy.")
      return nil
    }
    guard let text = String(validating: raw, as: UTF8.self) else {
      report(line, "bytes that are no UTF-8. Save the file as UTF-8.")
      return nil
    }
    return Self.trimmed(text)
  }

  private mutating func report(_ line: Int, _ text: String) {
    // A file that is something else altogether would have one problem a line.
    if problems.count < 100 { problems.append(Problem(line: line, text: text)) }
  }

  private static func trimmed(_ text: String) -> String {
    let blank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !blank($0) }),
      let last = scalars.lastIndex(where: { !blank($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  /// Short enough for a message, without control characters.
  package static func quoted(_ text: String) -> String {
    let clean = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "?" : $0 }))
    return clean.count > 60 ? "\"\(clean.prefix(57))…\"" : "\"\(clean)\""
  }
}
