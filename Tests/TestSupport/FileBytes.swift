import CLinux
import Glibc

/// Whole files as arrays, for what a test does to them.
package enum FileBytes {
  /// Empty where there is no such file.
  package static func read(_ path: String) -> [UInt8] {
    let file = cl_open(path, O_RDONLY, 0)
    guard file >= 0 else { return [] }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    // Made with no capacity, an array writes its count of 0 into the one empty array that all threads share.
    guard size > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = pread(file, buffer.baseAddress! + count, size - count, off_t(count))
        guard got > 0 else { break }
        count += got
      }
    }
  }

  package static func write(_ bytes: [UInt8], to path: String) {
    let file = cl_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(file >= 0, "\(path) should be writable")
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, bytes.count - done) }
      precondition(count > 0, "a test needs room in /tmp")
      done += count
    }
  }

  /// By memcmp, since a loop over megabytes takes its time in a debug build.
  package static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && areEqual(a, b, 0..<a.count)
  }

  package static func areEqual(_ a: [UInt8], _ b: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.upperBound <= min(a.count, b.count) else { return false }
    return a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        range.isEmpty || memcmp(a.baseAddress! + range.lowerBound, b.baseAddress! + range.lowerBound, range.count) == 0
      }
    }
  }
}
