import Glibc

/// What a file of ours could not do, in words that name it and the cure.
package enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Action: String, Hashable, Sendable {
    case open = "opened"
    case read = "read"
    case write = "written"
    case sync = "synced"
    case rename = "renamed"
    case list = "listed"
    case create = "created"
  }

  /// `code` is an `errno`.
  case failed(Action, path: String, code: Int32)
  case tooLarge(path: String, bytes: Int64, limit: Int)
  case notAFile(path: String)

  package var path: String {
    switch self {
    case .failed(_, let path, _), .tooLarge(let path, _, _), .notAFile(let path): path
    }
  }

  /// The `errno`, where the system refused.
  package var code: Int32? {
    switch self {
    case .failed(_, _, let code): code
    case .tooLarge, .notAFile: nil
    }
  }

  package var description: String {
    switch self {
    case .failed(let action, let path, let code):
      "\(path) cannot be \(action.rawValue): \(Self.words(code))"
    case .tooLarge(let path, let bytes, let limit):
      "\(path) has \(bytes) bytes, and at most \(limit) make sense for such a file. Is it the right one?"
    case .notAFile(let path):
      "\(path) is no plain file. Put a file there, or name another path."
    }
  }

  /// The reason behind an `errno`, and what to do about it.
  package static func words(_ code: Int32) -> String {
    switch code {
    case ENOSPC: "no space is left on the volume. Free some space there."
    case EDQUOT: "the disk quota of this user is used up. Free some space or raise the quota."
    case EROFS:
      "it is read-only. Either the volume is mounted so (see: findmnt), or the service's sandbox forbids it: "
        + "allow the path with ReadWritePaths= in a drop-in (systemctl edit camrigd)."
    case EACCES, EPERM:
      "permission denied. Its owner, group and mode must let the service's user in (see: namei -l), "
        + "and so must the service's sandbox (ReadWritePaths=)."
    case ENOENT: "it does not exist."
    case ENOTDIR: "a part of the path is no directory."
    case EISDIR: "it is a directory, not a file."
    case EIO: "the device reports an input/output error. Look at the kernel's log (dmesg) and the disk's health."
    case ELOOP: "too many symbolic links, or a link where none may be."
    case ENAMETOOLONG: "its name is too long for the file system."
    case EMFILE, ENFILE: "too many files are open. Raise LimitNOFILE= of the service."
    default: "\(String(cString: strerror(code))) (error \(code))."
    }
  }
}
