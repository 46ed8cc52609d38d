import Glibc

/// A file that makes no sense is moved beside, never overwritten, and neither is one that was moved there before.
package enum KeptAside {
  /// - Parameter stamp: what tells it from others, such as the time.
  /// - Returns: where it is now; nil: it could not be moved, and is where it was.
  package static func move(_ path: String, stamp: String) -> String? {
    for number in 0..<100 {
      let aside = "\(path).unreadable-\(stamp)" + (number == 0 ? "" : "-\(number)")
      // link refuses to overwrite, which rename would not.
      if link(path, aside) == 0 { return unlink(path) == 0 ? aside : nil }
      switch errno {
      case EEXIST: continue
      case EPERM, ENOTSUP, EMLINK:
        guard access(aside, F_OK) != 0 else { continue }
        return rename(path, aside) == 0 ? aside : nil
      default: return nil
      }
    }
    return nil
  }
}
