import Glibc

/// The beginning of a file that was not fetched to its end: `FILE.TAG.part`, where TAG is the rig's entity tag, so that
/// no beginning gets the end of another file.
struct PartialFile: Hashable, Sendable {
  let path: String
  let entityTag: String
  let size: Int64

  private static let suffix = ".part"

  /// Nil where the tag could not stand in a name.
  static func path(of file: String, entityTag: String) -> String? {
    let tag = entityTag.filter { $0 != "\"" }
    let isPlain = tag.utf8.allSatisfy {
      (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46
    }
    guard isPlain, !tag.isEmpty, tag.utf8.count <= 100, entityTag == "\"\(tag)\"" else { return nil }
    return "\(file).\(tag)\(suffix)"
  }

  /// What there is of `file`.
  static func find(_ file: String) -> PartialFile? {
    guard let slash = file.lastIndex(of: "/"), let folder = opendir(String(file[..<slash])) else { return nil }
    defer { closedir(folder) }
    let beginning = file[file.index(after: slash)...] + "."
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard name.hasPrefix(beginning), name.hasSuffix(suffix) else { continue }
      let tag = name.dropFirst(beginning.count).dropLast(suffix.count)
      let path = String(file[...slash]) + name
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      return PartialFile(path: path, entityTag: "\"\(tag)\"", size: Int64(status.st_size))
    }
    return nil
  }
}
