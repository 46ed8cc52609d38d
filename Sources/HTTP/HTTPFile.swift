import CLinux
import DaemonKit
import Glibc

/// An open file that is to be sent. It stays what it was when it was opened, whatever happens to its name.
package final class HTTPFile: Sendable {
  package let size: Int64
  /// Strong: another content has another one, as far as the file system's time stamps tell.
  package let entityTag: String
  package let type: String
  /// Saved under this name rather than shown; nil: shown.
  package let downloadName: String?
  /// Reads it.
  package let volume: Volume
  private let descriptor: Int32
  private let read: Read

  /// As `pread`: a descriptor, where to, how much, from where.
  package typealias Read = @Sendable (Int32, UnsafeMutableRawPointer, Int, off_t) -> Int

  /// Blocks.
  /// - Parameters:
  ///   - path: below the volume's own, and through no symbolic link.
  ///   - read: for tests of volumes that hang.
  package init(
    path: String, type: String, downloadName: String? = nil, on volume: Volume,
    read: @escaping Read = { pread($0, $1, $2, $3) }
  ) throws(HTTPFileError) {
    // Non-blocking, so that a FIFO in the file's place cannot hold anybody up.
    let file = Self.open(path, volume.path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else { throw .failed(path, -file) }
    var status = stat()
    let code = fstat(file, &status) == 0 ? 0 : errno
    guard code == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw code == 0 ? .notAFile(path) : .failed(path, code)
    }
    descriptor = file
    self.read = read
    self.volume = volume
    size = Int64(status.st_size)
    entityTag =
      "\"\(String(UInt64(status.st_ino), radix: 16))-\(String(UInt64(status.st_size), radix: 16))-"
      + "\(String(status.st_mtim.tv_sec, radix: 16)).\(String(status.st_mtim.tv_nsec, radix: 16))\""
    self.type = type
    self.downloadName = downloadName
  }

  /// A volume that somebody else has prepared may have links to what is none of its readers' business.
  private static func open(_ path: String, _ folder: String, _ flags: Int32) -> Int32 {
    guard path.hasPrefix(folder + "/") else { return cl_open(path, flags | O_NOFOLLOW, 0) }
    return cl_open_below(folder, String(decoding: path.utf8.dropFirst(folder.utf8.count + 1), as: UTF8.self), flags)
  }

  deinit { close(descriptor) }

  /// For whoever may not wait for its volume.
  package static func opened(
    path: String, type: String, downloadName: String? = nil, on volume: Volume
  ) async throws(HTTPFileError) -> HTTPFile {
    let opened: Result<HTTPFile, HTTPFileError>
    // What the kernel remembers can be opened on a disk that reads nothing any more.
    guard !volume.reading.isSilent else { throw .silent(volume.silence) }
    do throws(VolumeSilence) {
      opened = try await volume.questions.ask {
        Result { () throws(HTTPFileError) in
          try HTTPFile(path: path, type: type, downloadName: downloadName, on: volume)
        }
      }
    } catch {
      throw .silent(error)
    }
    return try opened.get()
  }

  /// A file that is being written grows; nil where its volume does not say. Blocks.
  package var sizeNow: Int64? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// All of the range; nil where the file is shorter by now, or cannot be read. Blocks.
  package func read(_ range: Range<Int64>) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let got = read(
          descriptor, buffer.baseAddress! + count, range.count - count, off_t(range.lowerBound + Int64(count)))
        if got < 0, errno == EINTR { continue }
        if got <= 0 { break }
        count += got
      }
    }
    return bytes.count == range.count ? bytes : nil
  }

  /// `attachment` with the name in both forms of RFC 6266.
  static func disposition(_ name: String) -> String {
    let plain = String(
      name.unicodeScalars.map { $0.isASCII && $0.value >= 32 && $0 != "\"" && $0 != "\\" ? Character($0) : "_" })
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEncoding.encode(name))"
  }
}

package enum HTTPFileError: Error, Hashable, CustomStringConvertible {
  case failed(String, Int32)
  case notAFile(String)
  case silent(VolumeSilence)

  package var description: String {
    switch self {
    case .failed(let path, ELOOP), .failed(let path, EXDEV):
      "\(path) cannot be sent: it is a symbolic link, or behind one, and the rig follows none below its takes."
    case .failed(let path, let code): "\(path) cannot be sent: \(String(cString: strerror(code)))."
    case .notAFile(let path): "\(path) cannot be sent: it is no plain file."
    case .silent(let silence): silence.description
    }
  }

  package var isMissing: Bool {
    if case .failed(_, ENOENT) = self { true } else { false }
  }
}
