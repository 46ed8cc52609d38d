import CamrigModel
import CLinux
import Glibc

/// A file descriptor to write to; `close` waits for a running `sync`.
package final class DescriptorOutput: FileOutput {
  private let descriptor: Int32
  // Held during fdatasync, so that the number is not given to another file meanwhile. Writing does not take it: the
  // thread that writes is also the one that closes.
  private let isOpen = Guarded(true)

  package init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close() }

  package func write(_ vectors: UnsafeBufferPointer<iovec>, at offset: Int64) -> Int {
    let count = pwritev(descriptor, vectors.baseAddress, Int32(vectors.count), off_t(offset))
    return count < 0 ? -Int(errno) : count
  }

  package func truncate(to byteCount: Int64) -> Int32 {
    ftruncate(descriptor, off_t(byteCount)) < 0 ? -errno : 0
  }

  package func sync() -> Int32 {
    isOpen.withLock { $0 ? cl_fdatasync(descriptor) : -EBADF }
  }

  package func close() {
    isOpen.withLock {
      guard $0 else { return }
      _ = Glibc.close(descriptor)
      $0 = false
    }
  }
}
