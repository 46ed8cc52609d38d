import DaemonKit
import Testing

@Suite("An INI file")
struct INIFileTests {
  private func file(_ text: String) -> INIFile { INIFile(Array(text.utf8)) }

  @Test("keys belong to the section above them, whatever blanks, comments and line ends stand around")
  func layout() {
    let read = file("\u{FEFF}# first\r\n[Rig]\r\n\tName = my rig \r\n; other\n\n[Log]\nLevel=info")
    #expect(read.problems.isEmpty)
    #expect(
      read.entries.map { "\($0.line) \($0.section).\($0.key)=\($0.value)" } == [
        "3 Rig.Name=my rig", "7 Log.Level=info",
      ])
    #expect(read.sections.map(\.name) == ["Rig", "Log"])
  }

  @Test("a section may come again, and a value may hold = and #")
  func again() {
    let read = file("[A]\nk=a=b # c\n[B]\n[A]\nl=\n")
    #expect(read.entries.map { "\($0.section).\($0.key)=\($0.value)" } == ["A.k=a=b # c", "A.l="])
    #expect(read.sections.map(\.name) == ["A", "B"])
  }

  @Test("a backslash at the end continues the line, over comments too")
  func continued() {
    let read = file("[A]\nk=one\\\n# between\n  two\nl=three\\")
    #expect(read.entries.map { "\($0.line) \($0.key)=\($0.value)" } == ["2 k=one two", "5 l=three"])
  }

  @Test(
    "what cannot be read is named with its line, and the rest is read",
    arguments: [
      ("[A]\nv\nk=1", 2, "\"v\" is neither"),
      ("[A\nk=1\n[A]\nk=1", 1, "\"[A\" is no section"),
      ("[]\n[A]\nk=1", 1, "is no section"),
      ("k=1\n[A]\nk=1", 1, "\"k\"= stands in no section"),
      ("[A]\n=1\nk=1", 2, "no key"),
      ("[A]\nx=\0\nk=1", 2, "NUL"),
    ])
  func problems(text: String, line: Int, words: String) {
    let read = file(text)
    #expect(read.problems.first?.line == line)
    #expect(read.problems.first?.text.contains(words) == true)
    #expect(read.entries.contains { $0.section == "A" && $0.key == "k" && $0.value == "1" })
  }

  @Test("bytes that are no UTF-8 are named with their line")
  func latin1() {
    let read = INIFile(Array("[A]\n".utf8) + [0x6B, 0x3D, 0xAE, 0x0A] + Array("l=1\n".utf8))
    #expect(read.problems.map(\.line) == [2])
    #expect(read.entries.map(\.key) == ["l"])
  }

  @Test("UTF-16 is recognised")
  func utf16() {
    #expect(INIFile([0xFF, 0xFE, 0x5B, 0x00]).problems.first?.text.contains("UTF-16") == true)
  }

  @Test("a file of something else has a bounded list of problems")
  func rubbish() {
    #expect(file(String(repeating: "rubbish\n", count: 100_000)).problems.count == 100)
  }
}
