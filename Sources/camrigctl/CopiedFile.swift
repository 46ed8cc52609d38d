import CLinux
import CamrigModel
import Glibc

/// A file that cannot be copied; the sentence says why.
struct CopyError: Error, CustomStringConvertible {
  let description: String
}

enum CopiedFile {
  /// Never over a file that is there.
  static func copy(_ from: String, to: String) throws(CopyError) {
    let source = cl_open(from, O_RDONLY, 0)
    guard source >= 0 else { throw failure("read", from, -source) }
    defer { close(source) }
    let target = cl_open(to, O_WRONLY | O_CREAT | O_EXCL, 0o644)
    guard target >= 0 else { throw failure("written", to, -target) }
    defer { close(target) }
    var block = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = read(source, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read", from, errno) }
      if count == 0 { return }
      var done = 0
      while done < count {
        let written = block.withUnsafeBytes { write(target, $0.baseAddress! + done, count - done) }
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw failure("written", to, errno) }
        done += written
      }
    }
  }

  private static func failure(_ what: String, _ path: String, _ code: Int32) -> CopyError {
    let cure = code == EACCES ? " Become a member of the group camrig: sudo adduser $USER camrig" : ""
    return CopyError(description: "\(path) cannot be \(what): \(String(cString: strerror(code))).\(cure)")
  }
}
