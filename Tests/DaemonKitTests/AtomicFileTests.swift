import DaemonKit
import Glibc
import TestSupport
import Testing

@Suite("A file that is replaced")
struct AtomicFileTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path + "/settings.json" }

  private func text(_ path: String) -> String? {
    (try? AtomicFile.read(path)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("has its new content and mode, and the one before beside it")
  func replaced() throws {
    try AtomicFile.write(Array("one".utf8), to: path, mode: 0o600, keepPrevious: true)
    #expect(text(path + ".previous") == nil)
    try AtomicFile.write(Array("two".utf8), to: path, mode: 0o600, keepPrevious: true)
    try AtomicFile.write(Array("three".utf8), to: path, mode: 0o600, keepPrevious: true)
    #expect(text(path) == "three")
    #expect(text(path + ".previous") == "two")
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("holds the old or the new content, whole, after a power cut behind any step")
  func cut() throws {
    for steps in 0...FileReplacement.Step.allCases.count {
      try AtomicFile.write(Array("old".utf8), to: path, keepPrevious: true)
      let replacement = FileReplacement(path: path, bytes: Array("new".utf8), mode: 0o640, keepPrevious: true)
      for step in FileReplacement.Step.allCases.prefix(steps) { try replacement.perform(step) }
      #expect(text(path) == (steps < 3 ? "old" : "new"))
    }
    // And a left-over does not get into the way.
    try AtomicFile.write(Array("next".utf8), to: path, keepPrevious: true)
    #expect(text(path) == "next")
    #expect(text(path + ".previous") == "new")
  }

  @Test("is left as it was when the directory is gone, with an error that names it")
  func noDirectory() {
    let missing = directory.path + "/gone/settings.json"
    #expect {
      try AtomicFile.write([1], to: missing)
    } throws: { error in
      "\(error)" == "\(missing) cannot be created: it does not exist."
    }
  }

  @Test("is refused above the limit, and where it is no plain file")
  func limits() throws {
    try AtomicFile.write([1, 2, 3], to: path)
    #expect(throws: FileError.tooLarge(path: path, bytes: 3, limit: 2)) { try AtomicFile.read(path, limit: 2) }
    #expect(throws: FileError.notAFile(path: directory.path)) { try AtomicFile.read(directory.path) }
    #expect(mkfifo(path + ".fifo", 0o600) == 0)
    #expect(throws: FileError.notAFile(path: path + ".fifo")) { try AtomicFile.read(path + ".fifo") }
    #expect(try AtomicFile.read("/dev/null").isEmpty)
  }

  @Test("that is read-only says that the sandbox may be the reason")
  func readOnly() {
    let text = FileError.failed(.create, path: "/media/disk/x", code: EROFS).description
    #expect(text.hasPrefix("/media/disk/x cannot be created: it is read-only."))
    #expect(text.contains("ReadWritePaths="))
  }
}
