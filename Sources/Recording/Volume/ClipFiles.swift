import CLinux
import CamrigModel
import Glibc
import Movie

/// Makes the files that clips are written to. Tests pass one whose volume fails.
package protocol ClipFiles: Sendable {
  /// A new file, never one that is there; `-errno` as the error.
  func create(_ path: String) -> Result<any FileOutput, ClipFileFailure>
}

package struct ClipFileFailure: Error, Equatable, Sendable {
  package let errno: Int32
  package init(errno: Int32) { self.errno = errno }
}

/// Plain files, written past the page cache where their volume can, gains by it, and has not been too slow for it in
/// the last hour.
package final class SystemClipFiles: ClipFiles {
  private static let memory = Duration.seconds(3600)
  private let slowUntil = Guarded<MediaTime?>(nil)

  package init() {}

  package func create(_ path: String) -> Result<any FileOutput, ClipFileFailure> {
    let descriptor = cl_open(path, O_RDWR | O_CREAT | O_EXCL, 0o640)
    guard descriptor >= 0 else { return .failure(ClipFileFailure(errno: -descriptor)) }
    return .success(
      DescriptorOutput(descriptor: descriptor, bypassingCache: gains(descriptor)) { [self] in
        slowUntil.withLock { $0 = SystemClock().now + Self.memory }
      })
  }

  private func gains(_ descriptor: Int32) -> Bool {
    if let until = slowUntil.withLock({ $0 }), SystemClock().now < until { return false }
    var kind = statfs()
    guard fstatfs(descriptor, &kind) == 0 else { return false }
    // FAT and exFAT copy through the cache all the same when a file grows, and then wait for the volume, too.
    let magic = UInt32(truncatingIfNeeded: kind.f_type)
    return magic != UInt32(MSDOS_SUPER_MAGIC) && magic != 0x2011_bab0
  }
}
