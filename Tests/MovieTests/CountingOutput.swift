import CamrigModel
import CLinux
import Glibc
import Movie

/// Keeps where each write went and came from, and no bytes.
final class CountingOutput: FileOutput {
  private let kept = Guarded<[Range<Int64>]>([])
  private let unaligned = Guarded(0)
  /// Writes of more than one piece of memory, or of one that begins beside a block.
  var unalignedCount: Int { unaligned.withLock { $0 } }
  var writes: [Range<Int64>] { kept.withLock { $0 } }

  let blockByteCount: Int

  init(blockByteCount: Int = 1) { self.blockByteCount = blockByteCount }

  func write(_ vectors: UnsafeBufferPointer<iovec>, at offset: Int64) -> Int {
    let count = vectors.reduce(0) { $0 + $1.iov_len }
    if vectors.count != 1 || vectors.contains(where: { Int(bitPattern: $0.iov_base) % blockByteCount != 0 }) {
      unaligned.withLock { $0 += 1 }
    }
    kept.withLock { $0.append(offset..<offset + Int64(count)) }
    return count
  }

  func truncate(to byteCount: Int64) -> Int32 { 0 }
  func sync() -> Int32 { 0 }
  func close() {}
}
