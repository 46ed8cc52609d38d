import CamrigModel
import CLinux
import Glibc
import Movie

/// A file on a volume. `close` waits for a running `sync`.
final class SystemClipFile: FileOutput {
  private let descriptor: Int32
  // Held during fdatasync, so that the number is not given to another file meanwhile.
  private let isOpen = Guarded(true)

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close() }

  func write(_ vectors: UnsafeBufferPointer<iovec>, at offset: Int64) -> Int {
    let count = pwritev(descriptor, vectors.baseAddress, Int32(vectors.count), off_t(offset))
    return count < 0 ? -Int(errno) : count
  }

  func truncate(to byteCount: Int64) -> Int32 { ftruncate(descriptor, off_t(byteCount)) < 0 ? -errno : 0 }

  func sync() -> Int32 { isOpen.withLock { $0 ? cl_fdatasync(descriptor) : -EBADF } }

  func close() {
    isOpen.withLock {
      guard $0 else { return }
      _ = Glibc.close(descriptor)
      $0 = false
    }
  }
}
