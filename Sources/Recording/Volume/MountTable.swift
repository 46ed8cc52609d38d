/// `/proc/self/mountinfo`: tells a volume that is read-only from one that only this service may not write.
package struct MountTable: Sendable {
  package struct Mount: Hashable, Sendable {
    package var point: String
    package var type: String
    package var mountIsReadOnly: Bool
    package var volumeIsReadOnly: Bool
  }

  private let mounts: [Mount]

  package init(_ text: String) {
    mounts = text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count >= dash + 4 else { return nil }
      return Mount(
        point: Self.unescape(fields[4]), type: String(fields[dash + 1]),
        mountIsReadOnly: fields[5].split(separator: ",").contains("ro"),
        volumeIsReadOnly: fields[dash + 3].split(separator: ",").contains("ro"))
    }
  }

  /// The mount that `path` (absolute, no links) lies on. Of two at one point the later is on top.
  package func mount(of path: String) -> Mount? {
    var best: Mount?
    for mount in mounts {
      let inside = mount.point == "/" || path == mount.point || path.hasPrefix(mount.point + "/")
      if inside, mount.point.utf8.count >= (best?.point.utf8.count ?? 0) { best = mount }
    }
    return best
  }

  /// True if the volume of `path` is writable, but not through the mount that this process sees: a sandbox's doing.
  package func isReadOnlyForUsAlone(_ path: String) -> Bool {
    guard let mount = mount(of: path) else { return false }
    return mount.mountIsReadOnly && !mount.volumeIsReadOnly
  }

  // Blanks and the like stand as octal numbers.
  private static func unescape(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (48...55).contains($0) }) {
        bytes.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 - 48) }))
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
