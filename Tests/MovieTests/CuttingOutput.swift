import CamrigModel
import CLinux
import Glibc
import Movie

/// A file that stops taking bytes after so many: with an error, as a full disk, or silently, as if the process had
/// been killed there.
final class CuttingOutput: FileOutput {
  enum Manner { case fails(errno: Int32), isKilled }

  private let file: DescriptorOutput
  private let manner: Manner
  private let left: Guarded<Int>
  private let wasCut = Guarded(false)

  /// - Parameter bytes: after which it stops.
  init(_ path: String, bytes: Int, then manner: Manner, bypassingCache: Bool = false) {
    let descriptor = cl_open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    precondition(descriptor >= 0, "\(path) should be new")
    file = DescriptorOutput(descriptor: descriptor, bypassingCache: bypassingCache)
    left = Guarded(bytes)
    self.manner = manner
  }

  /// Lets it take so many bytes more.
  func allow(_ bytes: Int) { left.withLock { $0 = bytes } }

  var blockByteCount: Int { file.blockByteCount }

  func write(_ vectors: UnsafeBufferPointer<iovec>, at offset: Int64) -> Int {
    let wanted = vectors.reduce(0) { $0 + $1.iov_len }
    let allowed = left.withLock { left in
      defer { left -= min(left, wanted) }
      return min(left, wanted)
    }
    var done = 0
    for vector in vectors where done < allowed {
      var part = iovec(iov_base: vector.iov_base, iov_len: min(vector.iov_len, allowed - done))
      done += withUnsafePointer(to: &part) {
        file.write(UnsafeBufferPointer(start: $0, count: 1), at: offset + Int64(done))
      }
    }
    if allowed == wanted { return wanted }
    wasCut.withLock { $0 = true }
    switch manner {
    case .fails(let errno): return done > 0 ? done : -Int(errno)
    case .isKilled: return wanted
    }
  }

  func truncate(to byteCount: Int64) -> Int32 {
    if case .isKilled = manner, wasCut.withLock({ $0 }) { return 0 }
    return file.truncate(to: byteCount)
  }

  func sync() -> Int32 { file.sync() }
  func close() { file.close() }
}
