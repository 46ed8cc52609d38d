import CLinux
import CamrigModel
import DaemonKit
import Glibc

/// The listening Unix socket of the rig. Its mode and group decide who may connect.
package struct ControlSocket: Sendable {
  let descriptor: Int32
  let path: String
  /// Nil where systemd owns it.
  private let listener: UnixListener?

  /// One that systemd handed over.
  package static func inherited(_ descriptor: Int32) -> ControlSocket {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    return ControlSocket(descriptor: descriptor, path: "the socket given by systemd", listener: nil)
  }

  /// Listens at `path`, for the user and the group `group`. A socket that a dead daemon left there is replaced, one
  /// that is answered is not.
  package static func listening(
    at path: String, group: String?, log: Log
  ) throws(MonitorError) -> ControlSocket {
    do throws(UnixListener.Fault) {
      let listener = try UnixListener.open(path, mode: 0o660) { name, status in
        if let group { give(name, of: status.st_gid, to: group, log: log) }
      }
      return ControlSocket(descriptor: listener.descriptor, path: path, listener: listener)
    } catch {
      throw MonitorError(error, path)
    }
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
    if let listener { listener.withdraw() } else { close(descriptor) }
  }
}

extension MonitorError {
  fileprivate init(_ fault: UnixListener.Fault, _ path: String) {
    self =
      switch fault {
      case .anotherAnswers: .anotherAnswers(path)
      case .notASocket: .notASocket(path)
      case .pathTooLong: .pathTooLong(path)
      case .noDirectory: .noDirectory(path)
      case .failed(let code): .failed(path, code)
      }
  }
}
