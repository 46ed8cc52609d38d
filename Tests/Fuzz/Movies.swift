import CLinux
import Glibc
import Movie
import MovieSupport

extension FuzzTarget {
  /// A clip of ours with bytes changed: read by its index and whole, repaired, and repaired once more, which must find
  /// nothing to do. The input: which clip, then three bytes a change (place and byte), at last one to cut it short.
  static let movies = FuzzTarget(name: "movies") { bytes in
    guard let first = bytes.first else { return }
    let path = FuzzedRig.directory + "/clip"
    if first >= 0x80 {
      FuzzedClip.write(Array(bytes.dropFirst()), to: path)
    } else {
      var clip = first & 1 == 0 ? FuzzedClip.finished : FuzzedClip.open
      var rest = bytes.dropFirst()
      while rest.count >= 3 {
        let change = Array(rest.prefix(3))
        clip[(Int(change[0]) << 8 | Int(change[1])) % clip.count] = change[2]
        rest = rest.dropFirst(3)
      }
      if let cut = rest.first { clip.removeLast(clip.count * Int(cut) / 256) }
      FuzzedClip.write(clip, to: path)
    }
    _ = try? MovieReader.read(path, depth: .index)
    _ = try? MovieReader.read(path)
    _ = try? MovieRepair.repair(path)
    if case .repaired? = try? MovieRepair.repair(path) { preconditionFailure("repaired twice") }
  }
}

/// Small clips with pictures and sound.
private enum FuzzedClip {
  static let finished = make(finishing: true)
  static let open = make(finishing: false)

  private static func make(finishing: Bool) -> [UInt8] {
    let path = FuzzedRig.directory + "/made-\(finishing)"
    do {
      try SmallClip.make(at: path, fragments: 4, finished: finishing)
    } catch {
      preconditionFailure("no clip: \(error)")
    }
    return read(path)
  }

  static func write(_ bytes: [UInt8], to path: String) {
    let descriptor = cl_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(descriptor >= 0, "no file for the clip")
    defer { close(descriptor) }
    precondition(Glibc.write(descriptor, bytes, bytes.count) == bytes.count, "no room for the clip")
  }

  private static func read(_ path: String) -> [UInt8] {
    let descriptor = cl_open(path, O_RDONLY, 0)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    precondition(count > 0 && count < bytes.count, "no clip to read")
    return Array(bytes[..<count])
  }
}
