import CamrigModel
import Glibc
import Movie
import Synchronization

/// Leaves out the sync that `MovieWriter` does when it begins a file. The clip's sync thread does it instead, so that
/// a volume whose sync takes seconds does not hold up the thread that writes pictures. Says how long the volume has owed an
/// answer.
final class LateSyncOutput: FileOutput {
  private let base: any FileOutput
  private let begun = Atomic(false)

  private let wait: VolumeWait

  init(_ base: any FileOutput, _ wait: VolumeWait) {
    self.base = base
    self.wait = wait
  }

  /// From now on a sync is one.
  func begin() { begun.store(true, ordering: .sequentiallyConsistent) }

  var blockByteCount: Int { base.blockByteCount }
  func write(_ vectors: UnsafeBufferPointer<iovec>, at offset: Int64) -> Int {
    wait.during { base.write(vectors, at: offset) }
  }
  func truncate(to byteCount: Int64) -> Int32 { wait.during { base.truncate(to: byteCount) } }
  func sync() -> Int32 {
    begun.load(ordering: .sequentiallyConsistent) ? wait.during { base.sync() } : 0
  }
  func close() { wait.during { base.close() } }
}
