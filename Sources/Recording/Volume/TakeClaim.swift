import CLinux
import CamrigModel
import Glibc

/// Says that somebody writes a take: a lock on its marker, which ends with the process at the latest. As long as it is
/// held nobody repairs the take, also no other daemon on the same volume.
package final class TakeClaim: Sendable {
  /// Nil: released.
  private let descriptor: Guarded<Int32?>

  private init(descriptor: Int32) { self.descriptor = Guarded(descriptor) }

  deinit { release() }

  /// All writers have ended. Idempotent.
  func release() {
    descriptor.withLock { descriptor in
      if let descriptor { close(descriptor) }
      descriptor = nil
    }
  }

  /// Of a marker that is there. Nil: somebody else holds it.
  package static func take(_ marker: String) throws(RecordingError) -> TakeClaim? {
    let descriptor = cl_open(marker, O_RDONLY, 0)
    guard descriptor >= 0 else { throw .of(-descriptor, marker) }
    return try lock(descriptor, marker)
  }

  /// Of a marker that is made. Nil: there is one already.
  static func make(_ marker: String) throws(RecordingError) -> TakeClaim? {
    let descriptor = cl_open(marker, O_WRONLY | O_CREAT | O_EXCL, 0o640)
    if descriptor == -EEXIST { return nil }
    guard descriptor >= 0 else { throw .of(-descriptor, Folder.parent(Folder.parent(marker))) }
    return try lock(descriptor, marker)
  }

  private static func lock(_ descriptor: Int32, _ marker: String) throws(RecordingError) -> TakeClaim? {
    let claim = TakeClaim(descriptor: descriptor)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return nil
      // A file system without locks (some network volumes): then the order of things has to do.
      case ENOLCK, EOPNOTSUPP, ENOSYS: return claim
      default: throw .of(errno, marker)
      }
    }
    return claim
  }
}
