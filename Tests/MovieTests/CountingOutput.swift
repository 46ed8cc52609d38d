import CamrigModel
import CLinux
import Glibc
import Movie

/// Keeps where each write went, and no bytes.
final class CountingOutput: FileOutput {
  private let kept = Guarded<[Range<Int64>]>([])
  var writes: [Range<Int64>] { kept.withLock { $0 } }

  func write(_ vectors: UnsafeBufferPointer<iovec>, at offset: Int64) -> Int {
    let count = vectors.reduce(0) { $0 + $1.iov_len }
    kept.withLock { $0.append(offset..<offset + Int64(count)) }
    return count
  }

  func truncate(to byteCount: Int64) -> Int32 { 0 }
  func sync() -> Int32 { 0 }
  func close() {}
}
