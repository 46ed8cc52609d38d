import CLinux
import CamrigModel
import DaemonKit
import Glibc

/// Where the known rigs are kept: a file of this user alone, since it holds tokens.
package struct RigBook: Sendable {
  private static let largest = 1 << 20
  package let path: String

  package init(path: String) { self.path = path }

  /// Nil where neither a configuration folder nor a home is set.
  package init?(_ environment: Environment) {
    guard let folder = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map({ $0 + "/.config" }) else {
      return nil
    }
    path = folder + "/camrig/rigs.json"
  }

  /// None where there is no file. One that makes no sense is an error, and never overwritten.
  package func read() throws(RigBookError) -> KnownRigs {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try AtomicFile.read(path, limit: Self.largest)
    } catch {
      if error.code == ENOENT { return KnownRigs() }
      throw .file(error)
    }
    guard let json = try? JSONValue(json: bytes), let rigs = KnownRigs(json: json) else { throw .unreadable(path) }
    return rigs
  }

  /// Changes what is kept, as it is by then: two programs may do so at once.
  package func change(_ body: (inout KnownRigs) -> Void) throws(RigBookError) {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    try Self.makeFolder(folder)
    let lock = cl_open(folder, O_RDONLY | O_DIRECTORY, 0)
    guard lock >= 0 else { throw .file(.failed(.open, path: folder, code: -lock)) }
    defer { close(lock) }
    flock(lock, LOCK_EX)
    var rigs = try read()
    body(&rigs)
    do throws(FileError) {
      try AtomicFile.write(rigs.json.bytes + [0x0A], to: path, mode: 0o600)
    } catch {
      throw .file(error)
    }
  }

  private static func makeFolder(_ path: String) throws(RigBookError) {
    if access(path, F_OK) == 0 { return }
    if let end = path.lastIndex(of: "/"), end > path.startIndex { try makeFolder(String(path[..<end])) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .file(.failed(.create, path: path, code: errno))
    }
  }
}

package enum RigBookError: Error, Hashable, CustomStringConvertible {
  case file(FileError)
  case unreadable(String)

  package var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .unreadable(let path):
      "\(path) cannot be understood. Move it away and pair again with: camrigctl connect HOST"
    }
  }
}
