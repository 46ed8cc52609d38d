import CLinux
import Glibc

/// A Unix socket that listens under a name of the file system. A socket that a dead program left there is replaced, one
/// that is answered is not.
package struct UnixListener: Hashable, Sendable {
  package enum Fault: Error, Hashable {
    case anotherAnswers, notASocket, pathTooLong, noDirectory
    /// An errno.
    case failed(Int32)
  }

  package let descriptor: Int32
  private let path: String
  /// The one in the file system that is ours to remove.
  private let inode: ino_t

  /// - Parameter prepare: what else must be right before others find it, such as its group: the name that it has until
  ///   then, and its state.
  package static func open(
    _ path: String, mode: UInt32, prepare: (String, stat) -> Void = { _, _ in }
  ) throws(Fault) -> UnixListener {
    guard path.utf8.count <= 107 else { throw .pathTooLong }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let directory = path.hasPrefix("/") && parts.count == 2 ? "/" : parts.dropLast().joined(separator: "/")
    // Two that start together must not both find the old socket dead.
    let lock = cl_open(directory.isEmpty ? "." : directory, O_RDONLY | O_DIRECTORY, 0)
    guard lock >= 0 else { throw -lock == ENOENT ? .noDirectory : .failed(-lock) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) < 0 && errno == EINTR {}
    try makeWay(path)

    let descriptor = cl_unix_socket()
    guard descriptor >= 0 else { throw .failed(-descriptor) }
    do throws(Fault) {
      return UnixListener(descriptor: descriptor, path: path, inode: try bind(descriptor, path, mode, prepare))
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func makeWay(_ path: String) throws(Fault) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket }
    let probe = cl_unix_socket()
    guard probe >= 0 else { throw .failed(-probe) }
    defer { close(probe) }
    switch -cl_unix_connect(probe, path) {
    // EAGAIN: somebody listens, whose queue is full.
    case 0, EAGAIN: throw .anotherAnswers
    case ECONNREFUSED, ENOENT: break
    case let code: throw .failed(code)
    }
  }

  /// It appears under its name only when it is complete, so that nobody finds it with a wrong mode or deaf.
  private static func bind(
    _ descriptor: Int32, _ path: String, _ mode: UInt32, _ prepare: (String, stat) -> Void
  ) throws(Fault) -> ino_t {
    let draft = path + ".\(getpid())"
    let name = draft.utf8.count <= 107 ? draft : path
    unlink(name)
    let bound = cl_unix_bind(descriptor, name)
    guard bound == 0 else { throw .failed(-bound) }
    var status = stat()
    guard chmod(name, mode_t(mode)) == 0, lstat(name, &status) == 0 else { throw discard(name) }
    prepare(name, status)
    guard listen(descriptor, 128) == 0, name == path || rename(name, path) == 0 else { throw discard(name) }
    return status.st_ino
  }

  private static func discard(_ name: String) -> Fault {
    let code = errno
    unlink(name)
    return .failed(code)
  }

  /// Stops listening, and takes the socket out of the file system unless another has taken its place. Once.
  package func withdraw() {
    var status = stat()
    if lstat(path, &status) == 0, status.st_ino == inode { unlink(path) }
    close(descriptor)
  }
}
