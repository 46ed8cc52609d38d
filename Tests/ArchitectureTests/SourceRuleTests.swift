import Testing

@Suite("The sources")
struct SourceRuleTests {
  private let sources = SourceTree.files("Sources")
  private let tests = SourceTree.files("Tests")

  private func words(_ line: String) -> [Substring] {
    line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// The lines of code that have one of the words.
  private func lines(with forbidden: Set<String>, in files: [SourceTree.File]) -> [String] {
    files.flatMap { file in
      file.code.enumerated().compactMap { index, line in
        words(line).contains { forbidden.contains(String($0)) } ? "\(file.path):\(index + 1)" : nil
      }
    }
  }

  @Test("Foundation stays out: it brings ICU, 40 MB and 10 MB of memory")
  func noFoundation() {
    for file in sources + tests { #expect(!file.imports.contains("Foundation"), "\(file.path)") }
  }

  @Test("nothing is public")
  func nothingPublic() {
    #expect(lines(with: ["public"], in: sources) == [])
  }

  @Test("nothing ends the program but a broken promise of our own")
  func noFatalError() {
    #expect(lines(with: ["fatalError", "assertionFailure"], in: sources) == [])
    let forced: [String] = sources.filter { $0.code.contains { $0.contains("try!") } }.map(\.path)
    #expect(forced == [])
  }

  @Test("nothing is left to be done")
  func nothingLeft() {
    // In two parts, so that this file does not name itself.
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
    for file in sources + tests {
      for (index, line) in file.lines.enumerated() {
        #expect(!marks.contains { mark in words(String(line)).contains { $0 == mark } }, "\(file.path):\(index + 1)")
      }
    }
  }

  @Test("main.swift only starts")
  func mains() {
    let mains = sources.filter { $0.path.hasSuffix("/main.swift") }
    #expect(
      mains.map(\.path) == [
        "Sources/camrig-torch/main.swift", "Sources/camrigctl/main.swift", "Sources/camrigd/main.swift",
      ])
    for file in mains {
      let code = file.code.filter { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("import ") }
      #expect(code.count == 1, "\(file.path)")
    }
  }

  @Test("a file is at most 400 lines long")
  func short() {
    for file in sources + tests { #expect(file.lines.count <= 401, "\(file.path)") }
  }

  @Test("the reader of sources sees code, and neither comments nor quotes")
  func reader() {
    let file = SourceTree.File(
      path: "Sources/A/B.swift",
      text: """
        import Glibc // for open
        @preconcurrency import struct Dispatch.DispatchTime
        /// public
        let text = "public \\(x)" // open
        let important = 1
        """)
    #expect(file.imports == ["Glibc", "Dispatch"])
    #expect(
      file.code == [
        "import Glibc ", "@preconcurrency import struct Dispatch.DispatchTime", "", "let text = \"\" ",
        "let important = 1",
      ])
    #expect(file.target == "A")
  }
}
