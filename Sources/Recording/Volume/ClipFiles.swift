import CLinux
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

/// Plain files, written past the page cache where their volume can.
package struct SystemClipFiles: ClipFiles {
  package init() {}

  package func create(_ path: String) -> Result<any FileOutput, ClipFileFailure> {
    let descriptor = cl_open(path, O_RDWR | O_CREAT | O_EXCL, 0o640)
    guard descriptor >= 0 else { return .failure(ClipFileFailure(errno: -descriptor)) }
    return .success(DescriptorOutput(descriptor: descriptor, bypassingCache: true))
  }
}
