import Glibc

/// The project's own files, as a test reads them.
struct SourceTree {
  struct File {
    /// From the package's root.
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The lines without comments and without the insides of quotes: what the compiler acts on.
    var code: [String] {
      var inBlock = false
      return lines.map { line in
        if line.drop(while: { $0 == " " }).hasPrefix("//") { return "" }
        if inBlock || line.contains("\"\"\"") {
          if line.contains("\"\"\"") { inBlock.toggle() }
          return ""
        }
        let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
        let outside = quoted.enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: "\"\"")
        return outside.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
          ?? ""
      }
    }

    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    /// The modules that it imports.
    var imports: [String] {
      code.compactMap { line in
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), words[..<index].allSatisfy({ isModifier($0) }) else {
          return nil
        }
        let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        let name = words[(index + 1)...].drop { kinds.contains(String($0)) }.first
        return name.map { String($0.split(separator: ".")[0]) }
      }
    }

    private func isModifier(_ word: Substring) -> Bool {
      word.hasPrefix("@") || ["package", "internal", "private", "fileprivate", "public"].contains(String(word))
    }
  }

  static let root: String = {
    // …/Tests/ArchitectureTests/SourceTree.swift
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  static func read(_ path: String) -> String? {
    guard let file = fopen(root + "/" + path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// All files below `folder` with that ending, sorted.
  static func files(_ folder: String, ending: String = ".swift") -> [File] {
    guard let directory = opendir(root + "/" + folder) else { return [] }
    defer { closedir(directory) }
    var found: [File] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let path = folder + "/" + name
      if entry.pointee.d_type == UInt8(DT_DIR) {
        found += files(path, ending: ending)
      } else if name.hasSuffix(ending), let text = read(path) {
        found.append(File(path: path, text: text))
      }
    }
    return found.sorted { $0.path < $1.path }
  }
}
