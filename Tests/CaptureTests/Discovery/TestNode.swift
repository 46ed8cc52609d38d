import DaemonKit
import Glibc

/// A plain file in the place of a device node, for what inotify tells.
enum TestNode {
  static func touch(_ path: String) throws { try AtomicFile.write([], to: path) }

  static func changeMode(_ path: String) { chmod(path, 0o666) }

  static func openAndClose(_ path: String) {
    let file = open(path, O_RDONLY)
    close(file)
  }
}
