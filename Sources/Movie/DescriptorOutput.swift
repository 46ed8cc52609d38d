import CLinux
import CamrigModel
import Glibc

/// A file descriptor to write to; `close` waits for a running `sync`.
package final class DescriptorOutput: FileOutput {
  private let descriptor: Int32
  // Held during fdatasync, so that the number is not given to another file meanwhile. Writing does not take it: the
  // thread that writes is also the one that closes.
  private let isOpen = Guarded(true)
  /// While writes bypass the page cache; the thread that writes alone comes here.
  private let pace: Guarded<DirectPace?>
  private let tooSlow: @Sendable () -> Void

  /// A block of any volume that can be written to directly, or a multiple of it.
  private static let directBlockByteCount = 4096

  /// - Parameter bypassingCache: write past the page cache, as long as that can be and the volume is fast enough. The
  ///   kernel then neither copies the media once more nor pushes out of memory what others have read.
  /// - Parameter tooSlow: called when writing past it has turned out too slow, so that other files need not find out.
  package init(
    descriptor: Int32, bypassingCache: Bool = false, tooSlow: @escaping @Sendable () -> Void = {}
  ) {
    self.descriptor = descriptor
    self.tooSlow = tooSlow
    pace = Guarded(bypassingCache && cl_set_direct(descriptor, 1) == 0 ? DirectPace() : nil)
  }

  deinit { close() }

  package var blockByteCount: Int { pace.withLock { $0 == nil ? 1 : Self.directBlockByteCount } }

  package func write(_ vectors: UnsafeBufferPointer<iovec>, at offset: Int64) -> Int {
    guard pace.withLock({ $0 != nil }) else { return put(vectors, offset) }
    // Somebody waits for a take to begin when the header is written, and its fragments have not come yet.
    if offset == 0 { return putThroughCache(vectors, offset) }
    guard Self.isAligned(vectors, offset) else {
      useCache()
      return put(vectors, offset)
    }
    let begin = cl_monotonic_ns()
    let written = put(vectors, offset)
    if written == -Int(EINVAL) || written == -Int(EOPNOTSUPP) {
      // This volume wants larger blocks, or only said that it can.
      useCache()
      return put(vectors, offset)
    }
    let isTooSlow = pace.withLock { $0?.wrote(from: begin, to: cl_monotonic_ns()) == .tooSlow }
    if isTooSlow {
      useCache()
      tooSlow()
    }
    return written
  }

  private func put(_ vectors: UnsafeBufferPointer<iovec>, _ offset: Int64) -> Int {
    let count = pwritev(descriptor, vectors.baseAddress, Int32(vectors.count), off_t(offset))
    return count < 0 ? -Int(errno) : count
  }

  private func putThroughCache(_ vectors: UnsafeBufferPointer<iovec>, _ offset: Int64) -> Int {
    _ = cl_set_direct(descriptor, 0)
    defer { _ = cl_set_direct(descriptor, 1) }
    return put(vectors, offset)
  }

  private func useCache() {
    _ = cl_set_direct(descriptor, 0)
    pace.withLock { $0 = nil }
  }

  private static func isAligned(_ vectors: UnsafeBufferPointer<iovec>, _ offset: Int64) -> Bool {
    var all = Int(offset)
    for vector in vectors { all |= Int(bitPattern: vector.iov_base) | vector.iov_len }
    return all % directBlockByteCount == 0
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
