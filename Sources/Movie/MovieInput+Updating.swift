import CLinux
import Glibc

extension MovieInput {
  /// Writes the last bytes of the file, cuts what stands behind them, and makes both durable.
  func put(_ bytes: [UInt8], at offset: Int64) throws(MovieError) {
    do {
      try write(bytes, at: offset)
    } catch {
      // Gives the space back on a full disk; where that fails too, the next repair finds the half index.
      _ = ftruncate(descriptor, off_t(byteCount))
      throw error
    }
    try cut(to: offset + Int64(bytes.count))
  }

  /// Overwrites bytes inside of the file, durably.
  func overwrite(_ bytes: [UInt8], at offset: Int64) throws(MovieError) {
    try write(bytes, at: offset)
    try sync()
  }

  /// Makes the file end here, durably.
  func cut(to end: Int64) throws(MovieError) {
    if wait.during({ ftruncate(descriptor, off_t(end)) }) < 0 { throw .system(errno, "cut", path) }
    try sync()
    byteCount = end
  }

  private func sync() throws(MovieError) {
    let result = wait.during { cl_fdatasync(descriptor) }
    guard result >= 0 else { throw .system(-result, "synced", path) }
  }

  private func write(_ bytes: [UInt8], at offset: Int64) throws(MovieError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { memory in
        wait.during { pwrite(descriptor, memory.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done)) }
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system(count == 0 ? ENOSPC : errno, "written", path) }
      done += count
    }
  }
}
