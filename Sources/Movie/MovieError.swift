import Glibc

/// Why a movie file could not be written, read or repaired.
package enum MovieError: Error, Hashable, Sendable, CustomStringConvertible {
  case exists(String)
  case missing(String)
  case diskFull(String)
  case fileTooLarge(String)
  case readOnly(String)
  case failed(action: String, path: String, errno: Int32)
  case unsupported(String)
  /// The caller's fragment breaks a promise; nothing was written.
  case badFragment(String)
  case closed(String)

  static func system(_ errno: Int32, _ action: String, _ path: String) -> MovieError {
    switch errno {
    case EEXIST: .exists(path)
    case ENOENT, ENOTDIR: .missing(path)
    case ENOSPC, EDQUOT: .diskFull(path)
    case EFBIG: .fileTooLarge(path)
    case EROFS: .readOnly(path)
    default: .failed(action: action, path: path, errno: errno)
    }
  }

  package var description: String {
    switch self {
    case .exists(let path): "\(path) exists already and is not overwritten. Give the clip another name."
    case .missing(let path): "\(path) is not there. Check that its folder exists and its disk is mounted."
    case .diskFull(let path): "\(path): the disk is full. Everything up to the last fragment is kept; free some space."
    case .fileTooLarge(let path):
      "\(path) has reached the largest size that its file system or a limit allows. Begin a new clip."
    case .readOnly(let path):
      "\(path): the file system is read-only. Look in the kernel's log for disk errors, then remount it."
    case .failed(let action, let path, let errno):
      "\(path) could not be \(action): \(String(cString: strerror(errno))). Check the disk and its permissions."
    case .unsupported(let what): "This cannot be recorded: \(what)."
    case .badFragment(let what): "The fragment was not written: \(what). This is a fault of camrig; please report it."
    case .closed(let path): "\(path) is closed already."
    }
  }
}
