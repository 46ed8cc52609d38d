import DaemonKit
import Glibc
import Testing

@Suite("The journal's catalog")
struct CatalogTests {
  private struct Entry {
    var id: String
    var header: [String: String] = [:]
    var text = ""
  }

  private static func read() -> [Entry] {
    // …/Tests/DaemonKitTests/CatalogTests.swift
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let file = fopen(root + "/systemd/camrig.catalog", "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    var entries: [Entry] = []
    var isHeader = false
    for line in String(decoding: bytes[..<count], as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("#") { continue }
      if line.hasPrefix("-- ") {
        entries.append(Entry(id: String(line.dropFirst(3))))
        isHeader = true
      } else if entries.isEmpty {
        continue
      } else if isHeader, let colon = line.firstIndex(of: ":") {
        entries[entries.count - 1].header[String(line[..<colon])] = String(line[colon...].dropFirst(2))
      } else {
        isHeader = false
        entries[entries.count - 1].text += line + "\n"
      }
    }
    return entries
  }

  @Test("explains every line that has an ID, and no other")
  func complete() {
    let ids = Self.read().map(\.id)
    #expect(ids.sorted() == LogEvent.allCases.map(\.rawValue).sorted())
  }

  @Test("every entry has a subject, and says what happened and what to do")
  func entries() {
    for entry in Self.read() {
      #expect(entry.header["Subject"]?.isEmpty == false, "\(entry.id)")
      #expect(entry.header["Defined-By"] == "camrig", "\(entry.id)")
      #expect(entry.text.count > 80, "\(entry.id)")
    }
  }

  @Test("IDs are 128 bits in small hexadecimal letters")
  func ids() {
    for event in LogEvent.allCases {
      #expect(event.rawValue.count == 32 && event.rawValue.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    }
  }
}
