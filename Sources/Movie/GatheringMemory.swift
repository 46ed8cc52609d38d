import Glibc

/// What `GatheredWrite` gathers with, used again for every write of a file. One thread at a time uses it.
final class GatheringMemory {
  let vectors = UnsafeMutableBufferPointer<iovec>.allocate(capacity: 256)
  /// Where pieces are put side by side for an output that bypasses the page cache; empty for one that does not.
  let staging: UnsafeMutableRawBufferPointer

  init(staging: Bool) {
    self.staging = .allocate(byteCount: staging ? GatheredWrite.stagedByteCount : 0, alignment: 32 << 10)
  }

  deinit {
    vectors.deallocate()
    staging.deallocate()
  }
}
