import CLinux
import CamrigModel
import DaemonKit
import Glibc

/// The listening Unix socket of the rig. Its mode and group decide who may connect.
package struct ControlSocket: Sendable {
  let descriptor: Int32
  let path: String
  /// The inode that this socket is in the file system; nil where systemd owns it.
  private let inode: ino_t?

  /// One that systemd handed over.
  package static func inherited(_ descriptor: Int32) -> ControlSocket {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    return ControlSocket(descriptor: descriptor, path: "the socket given by systemd", inode: nil)
  }

  /// Listens at `path`, for the user and the group `group`. A socket that a dead daemon left there is replaced, one
  /// that is answered is not.
  package static func listening(
    at path: String, group: String?, log: Log
  ) throws(MonitorError) -> ControlSocket {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let directory = path.hasPrefix("/") && parts.count == 2 ? "/" : parts.dropLast().joined(separator: "/")
    // Two daemons that start together must not both find the old socket dead.
    let lock = cl_open(directory.isEmpty ? "." : directory, O_RDONLY | O_DIRECTORY, 0)
    guard lock >= 0 else { throw -lock == ENOENT ? .noDirectory(path) : .failed(path, -lock) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) < 0 && errno == EINTR {}

    try makeWay(path)
    let descriptor = cl_unix_socket()
    guard descriptor >= 0 else { throw .failed(path, -descriptor) }
    do throws(MonitorError) {
      return try bind(descriptor, path, group: group, log: log)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func makeWay(_ path: String) throws(MonitorError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    let probe = cl_unix_socket()
    guard probe >= 0 else { throw .failed(path, -probe) }
    defer { close(probe) }
    switch -cl_unix_connect(probe, path) {
    // EAGAIN: somebody listens, whose queue is full.
    case 0, EAGAIN: throw .anotherAnswers(path)
    case ECONNREFUSED, ENOENT: break
    case let code: throw .failed(path, code)
    }
  }

  // It appears under its name only when it is complete, so that nobody finds it with a wrong mode or deaf.
  private static func bind(
    _ descriptor: Int32, _ path: String, group: String?, log: Log
  ) throws(MonitorError) -> ControlSocket {
    guard path.utf8.count <= 107 else { throw .pathTooLong(path) }
    let draft = path + ".\(getpid())"
    let name = draft.utf8.count <= 107 ? draft : path
    unlink(name)
    let bound = cl_unix_bind(descriptor, name)
    guard bound == 0 else { throw .failed(path, -bound) }
    var status = stat()
    guard chmod(name, 0o660) == 0, lstat(name, &status) == 0 else { throw discard(name, path, errno) }
    if let group { give(name, of: status.st_gid, to: group, log: log) }
    guard listen(descriptor, 128) == 0, name == path || rename(name, path) == 0
    else { throw discard(name, path, errno) }
    return ControlSocket(descriptor: descriptor, path: path, inode: status.st_ino)
  }

  private static func discard(_ name: String, _ path: String, _ code: Int32) -> MonitorError {
    unlink(name)
    return .failed(path, code)
  }

  private static func give(_ path: String, of present: gid_t, to group: String, log: Log) {
    let number = cl_group(group)
    guard number >= 0 else {
      log.warning("There is no group \(group): only this user and root can use the control socket.")
      return
    }
    // As a service it has the right group from the start, and a sandbox may forbid the very call.
    if gid_t(number) != present, chown(path, uid_t.max, gid_t(number)) != 0 {
      log.warning(
        "The control socket cannot be given to the group \(group) (\(String(cString: strerror(errno)))): "
          + "only this user and root can use it.")
    }
  }

  /// Stops listening, and takes the socket out of the file system unless another has taken its place.
  func withdraw() {
    var status = stat()
    if let inode, lstat(path, &status) == 0, status.st_ino == inode { unlink(path) }
    close(descriptor)
  }
}
