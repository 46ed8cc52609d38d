import CamrigModel
import Glibc
import Movie
import Recording
import Synchronization
import Testing

/// Files on a volume whose behaviour a test chooses.
final class FailingFiles: ClipFiles {
  struct Behaviour: Sendable {
    /// Writes that would make a file longer than this fail with `EFBIG`.
    var largestFile = Int.max
    /// The volume takes so many bytes, then `ENOSPC`.
    var room = Int.max
    /// Every write fails with this.
    var writeError: Int32 = 0
    /// Only of files whose path has this in it; nil: all.
    var writeErrorIn: String?
    var syncError: Int32 = 0
    var createError: Int32 = 0
    /// Only syncs of files whose path has this in it wait at the gate or fail; nil: all.
    var concerned: String?
  }

  let behaviour = Guarded(Behaviour())
  /// A sync waits while it is held.
  let syncGate = Guarded(())
  let syncs = Atomic(0)
  private let base = SystemClipFiles()

  func change(_ change: (inout Behaviour) -> Void) { behaviour.withLock { change(&$0) } }

  func create(_ path: String) -> Result<any FileOutput, ClipFileFailure> {
    let error = behaviour.withLock { $0.createError }
    guard error == 0 else { return .failure(ClipFileFailure(errno: error)) }
    return base.create(path).map { FailingFile(base: $0, path: path, files: self) }
  }
}

private final class FailingFile: FileOutput {
  let base: any FileOutput
  let path: String
  let files: FailingFiles

  init(base: any FileOutput, path: String, files: FailingFiles) {
    self.base = base
    self.path = path
    self.files = files
  }

  var blockByteCount: Int { base.blockByteCount }

  func write(_ vectors: UnsafeBufferPointer<iovec>, at offset: Int64) -> Int {
    let count = vectors.reduce(0) { $0 + $1.iov_len }
    let error = files.behaviour.withLock { behaviour -> Int32 in
      if behaviour.writeError != 0, behaviour.writeErrorIn.map(path.contains) ?? true { return behaviour.writeError }
      if Int(offset) + count > behaviour.largestFile { return EFBIG }
      if count > behaviour.room { return ENOSPC }
      behaviour.room -= count
      return 0
    }
    return error == 0 ? base.write(vectors, at: offset) : -Int(error)
  }

  func truncate(to byteCount: Int64) -> Int32 { base.truncate(to: byteCount) }

  func sync() -> Int32 {
    if let concerned = files.behaviour.withLock({ $0.concerned }), !path.contains(concerned) { return base.sync() }
    files.syncGate.withLock { _ in }
    files.syncs.add(1, ordering: .relaxed)
    let error = files.behaviour.withLock { $0.syncError }
    return error == 0 ? base.sync() : -error
  }

  func close() { base.close() }
}
