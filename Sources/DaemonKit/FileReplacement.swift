import CLinux
import Glibc

/// The steps of replacing a file, in order. A test stops after each of them and looks at what a power cut
/// would have left.
package struct FileReplacement: Sendable {
  package enum Step: CaseIterable, Sendable {
    case writeTemporary, keepPrevious, replace, syncDirectory
  }

  let path: String
  let bytes: [UInt8]
  let mode: UInt32
  let keepsPrevious: Bool

  package init(path: String, bytes: [UInt8], mode: UInt32, keepPrevious: Bool) {
    self.path = path
    self.bytes = bytes
    self.mode = mode
    self.keepsPrevious = keepPrevious
  }

  package var temporaryPath: String { path + ".new" }
  package var previousPath: String { path + ".previous" }

  package func perform(_ step: Step) throws(FileError) {
    switch step {
    case .writeTemporary: try writeTemporary()
    case .keepPrevious: if keepsPrevious { try keepPrevious() }
    case .replace:
      guard rename(temporaryPath, path) == 0 else { throw .failed(.rename, path: path, code: errno) }
    case .syncDirectory: try syncDirectory()
    }
  }

  private func writeTemporary() throws(FileError) {
    // A link in its place must not lead elsewhere.
    unlink(temporaryPath)
    let file = cl_open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
    guard file >= 0 else { throw .failed(.create, path: path, code: -file) }
    defer { close(file) }
    guard fchmod(file, mode) == 0 else { throw .failed(.write, path: path, code: errno) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { write(file, $0.baseAddress! + done, bytes.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .failed(.write, path: path, code: count == 0 ? ENOSPC : errno) }
      done += count
    }
    while fsync(file) != 0 {
      guard errno == EINTR else { throw .failed(.sync, path: path, code: errno) }
    }
  }

  private func keepPrevious() throws(FileError) {
    let second = previousPath + ".new"
    unlink(second)
    if link(path, second) == 0 {
      // Renaming between two names of one file does nothing, so the second name is removed in any case.
      let renamed = rename(second, previousPath) == 0
      let code = errno
      unlink(second)
      guard renamed else { throw .failed(.rename, path: previousPath, code: code) }
      return
    }
    // A file system without hard links (FAT): for a moment only the previous version exists.
    guard errno != ENOENT else { return }
    guard rename(path, previousPath) == 0 || errno == ENOENT else {
      throw .failed(.rename, path: path, code: errno)
    }
  }

  private func syncDirectory() throws(FileError) {
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let file = cl_open(directory, O_RDONLY | O_DIRECTORY, 0)
    guard file >= 0 else { throw .failed(.open, path: directory, code: -file) }
    defer { close(file) }
    // EINVAL: a file system that cannot sync directories has nothing to wait for.
    guard fsync(file) == 0 || errno == EINVAL else { throw .failed(.sync, path: directory, code: errno) }
  }
}
