import DaemonKit
import Glibc

/// Where one picture goes.
package enum PictureFile {
  /// - Parameter path: nil is the standard output. A file of that name is replaced once all is written.
  package static func write(_ bytes: [UInt8], to path: String?) throws(DownloadError) {
    guard let path else {
      let code = bytes.withUnsafeBytes { OutputFile.write($0, to: STDOUT_FILENO) }
      guard code == 0 else { throw .write("the output", code) }
      return
    }
    do throws(FileError) {
      try AtomicFile.write(bytes, to: path, mode: 0o644)
    } catch {
      throw .write(path, error.code ?? EIO)
    }
  }
}
