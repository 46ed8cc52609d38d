import CLinux
import CamrigModel
import Glibc

/// A movie file to read, whose bytes may be anything. Memory is bounded by what the caller asks for at a time.
final class MovieInput {
  let path: String
  /// When it was opened, or after the last `cut`.
  var byteCount: Int64
  let descriptor: Int32
  /// Times each call to the volume.
  let wait: VolumeWait
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)

  init(_ path: String, updating: Bool = false, wait: VolumeWait) throws(MovieError) {
    // Not blocking, in case the name is a pipe's.
    descriptor = wait.during { cl_open(path, (updating ? O_RDWR : O_RDONLY) | O_NONBLOCK, 0) }
    guard descriptor >= 0 else {
      buffer.deallocate()
      throw .system(-descriptor, "opened", path)
    }
    var status = stat()
    let opened = descriptor
    let result = wait.during { fstat(opened, &status) }
    guard result == 0, status.st_mode & S_IFMT == S_IFREG else {
      let problem = result == 0 ? EINVAL : errno
      Glibc.close(descriptor)
      buffer.deallocate()
      throw .system(problem, "opened as a file", path)
    }
    self.path = path
    self.wait = wait
    byteCount = Int64(status.st_size)
  }

  deinit {
    Glibc.close(descriptor)
    buffer.deallocate()
  }

  /// Nil where the file ends too early.
  func bytes(at offset: Int64, count: Int) throws(MovieError) -> [UInt8]? {
    guard offset >= 0, count >= 0, Int64(count) <= byteCount - offset else { return nil }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = wait.during {
          pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset) + off_t(filled))
        }
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        filled += got
      }
    }
    guard failure == 0 else { throw .system(failure, "read", path) }
    return bytes.count == count ? bytes : nil
  }

  /// Calls `body` with the bytes of a range piece by piece, until it answers false. False if it did, or if bytes
  /// could not be read: a sector that has gone bad is a hole like any other.
  func forEachPiece(of range: Range<Int64>, _ body: (UnsafeRawBufferPointer, Int64) -> Bool) -> Bool {
    var at = range.lowerBound
    while at < range.upperBound {
      let wanted = Int(min(range.upperBound - at, Int64(buffer.count)))
      let got = wait.during { pread(descriptor, buffer.baseAddress!, wanted, off_t(at)) }
      if got < 0, errno == EINTR { continue }
      guard got > 0, body(UnsafeRawBufferPointer(rebasing: buffer[..<got]), at) else { return false }
      at += Int64(got)
    }
    return true
  }
}
