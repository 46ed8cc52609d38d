import CLinux
import Glibc

/// Replaces a small file so that a power cut at any moment leaves the old or the new content, whole.
/// One writer a path at a time.
package enum AtomicFile {
  /// Durable when it returns. With `keepPrevious`, the content before stays beside it as `<path>.previous`.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o640, keepPrevious: Bool = false
  ) throws(FileError) {
    let replacement = FileReplacement(path: path, bytes: bytes, mode: mode, keepPrevious: keepPrevious)
    do throws(FileError) {
      for step in FileReplacement.Step.allCases { try replacement.perform(step) }
    } catch {
      // Best effort: a left-over is overwritten by the next attempt.
      unlink(replacement.temporaryPath)
      throw error
    }
  }

  /// The whole content; refused above `limit` bytes, so that a wrong path costs no memory.
  package static func read(_ path: String, limit: Int = 16 << 20) throws(FileError) -> [UInt8] {
    // Non-blocking, so that a FIFO in the file's place cannot hold up the start.
    let file = cl_open(path, O_RDONLY | O_NONBLOCK, 0)
    guard file >= 0 else { throw .failed(.open, path: path, code: -file) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .failed(.read, path: path, code: errno) }
    // /dev/null stands for an empty file, as in systemd's masks.
    let isNull = status.st_mode & S_IFMT == S_IFCHR && cl_is_null_device(UInt64(status.st_rdev)) == 1
    if isNull { return [] }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    guard status.st_size <= limit else {
      throw .tooLarge(path: path, bytes: Int64(status.st_size), limit: limit)
    }
    var content: [UInt8] = []
    content.reserveCapacity(Int(status.st_size))
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .failed(.read, path: path, code: errno) }
      if count == 0 { return content }
      content.append(contentsOf: piece[0..<count])
      guard content.count <= limit else { throw .tooLarge(path: path, bytes: Int64(content.count), limit: limit) }
    }
  }
}
