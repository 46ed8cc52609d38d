import CLinux
import Glibc

/// A small file that is replaced whole: a power cut leaves the old or the new one.
enum SmallFile {
  static func replace(_ path: String, with bytes: [UInt8]) throws(RecordingError) {
    let temporary = path + ".new"
    let descriptor = cl_open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o640)
    guard descriptor >= 0 else { throw .of(-descriptor, path) }
    do throws(RecordingError) {
      defer { close(descriptor) }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw RecordingError.of(errno, path) }
        rest = rest.dropFirst(count)
      }
      guard fsync(descriptor) == 0 else { throw RecordingError.of(errno, path) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else { throw .of(errno, path) }
    try Folder.sync(Folder.parent(path))
  }
}
