import CLinux
import CamrigModel
import Glibc
import HTTP

/// A file on its way from a rig to this machine.
final class DownloadSink: HTTPBodySink {
  private struct State {
    var descriptor: Int32 = -1
    var path = ""
    /// Of the whole file.
    var size: Int64 = -1
    var received: Int64 = 0
    var refused: RefusedBody?
    var code: Int32 = 0
  }

  private let file: String
  private let partial: PartialFile?
  private let state = Guarded(State())

  init(_ file: String, _ partial: PartialFile?) {
    self.file = file
    self.partial = partial
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    if descriptor >= 0 { close(descriptor) }
  }

  func began(status: Int, headers: HTTPHeaders) -> Bool {
    state.withLock { state in
      if status == 206, let partial, let size = Self.size(headers["content-range"], from: partial.size) {
        Self.open(partial.path, O_WRONLY | O_APPEND, size, &state)
      } else if status == 200, let size = headers["content-length"].flatMap({ Int64($0) }) {
        if let partial { unlink(partial.path) }
        let path = headers["etag"].flatMap { PartialFile.path(of: file, entityTag: $0) } ?? file + ".part"
        Self.open(path, O_WRONLY | O_CREAT | O_TRUNC, size, &state)
      } else if status == 206 || status == 416 {
        // What is here does not fit what is there: the next try begins anew.
        if let partial { unlink(partial.path) }
        return false
      } else {
        state.refused = RefusedBody(status: status)
      }
      return state.code == 0
    }
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      if state.refused != nil {
        state.refused?.append(bytes)
        return true
      }
      state.code = OutputFile.write(bytes, to: state.descriptor)
      state.received += Int64(bytes.count)
      return state.code == 0
    }
  }

  /// Of an answer that is no file, a `RigErrorCode`.
  var code: String? { state.withLock { $0.refused?.code } }

  /// After the last piece: puts the file in its place. How much came.
  func finish(_ path: String, _ web: RigWeb) throws -> Int64 {
    let state = state.withLock { $0 }
    if let refused = state.refused { throw web.refusal(refused.status, refused.bytes) }
    guard state.code == 0 else { throw DownloadError.write(path, state.code) }
    var status = stat()
    guard state.descriptor >= 0, fstat(state.descriptor, &status) == 0, Int64(status.st_size) == state.size else {
      throw DownloadError.incomplete(path)
    }
    guard fsync(state.descriptor) == 0, rename(state.path, path) == 0 else { throw DownloadError.write(path, errno) }
    return state.received
  }

  private static func open(_ path: String, _ flags: Int32, _ size: Int64, _ state: inout State) {
    let descriptor = cl_open(path, flags, 0o644)
    state.descriptor = max(descriptor, -1)
    state.code = descriptor < 0 ? -descriptor : 0
    state.path = path
    state.size = size
  }

  /// Of `bytes START-END/SIZE` that goes on at `start` to the end of the file.
  private static func size(_ range: String?, from start: Int64) -> Int64? {
    guard let range, range.hasPrefix("bytes \(start)-") else { return nil }
    let ends = range.dropFirst("bytes \(start)-".count).split(separator: "/").map { Int64($0) }
    guard ends.count == 2, let last = ends[0], let size = ends[1], last == size - 1 else { return nil }
    return size
  }
}
