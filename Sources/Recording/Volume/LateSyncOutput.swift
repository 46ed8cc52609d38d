import Glibc
import Movie
import Synchronization

/// Leaves out the sync that `MovieWriter` does when it begins a file. The clip's sync thread does it instead, so that
/// a volume whose sync takes seconds does not hold up the thread that writes pictures.
final class LateSyncOutput: FileOutput {
  private let base: any FileOutput
  private let begun = Atomic(false)

  init(_ base: any FileOutput) { self.base = base }

  /// From now on a sync is one.
  func begin() { begun.store(true, ordering: .sequentiallyConsistent) }

  var blockByteCount: Int { base.blockByteCount }
  func write(_ vectors: UnsafeBufferPointer<iovec>, at offset: Int64) -> Int { base.write(vectors, at: offset) }
  func truncate(to byteCount: Int64) -> Int32 { base.truncate(to: byteCount) }
  func sync() -> Int32 { begun.load(ordering: .sequentiallyConsistent) ? base.sync() : 0 }
  func close() { base.close() }
}
