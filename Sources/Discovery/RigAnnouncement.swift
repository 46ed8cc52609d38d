/// What programs in the network are told of the rig. No address: they ask for that each time anew.
package struct RigAnnouncement: Hashable, Sendable {
  /// For people. Others may have it, too; a rig is known by its ID.
  package var name: String
  /// The same as long as the rig has its key, whatever it or its machine is called.
  package var id: String
  package var version: String
  /// Of the rig's authority: `sha256:` and 64 hexadecimal digits.
  package var fingerprint: String
  /// Where HTTPS is served.
  package var port: UInt16

  package init(name: String, id: String, version: String, fingerprint: String, port: UInt16) {
    self.name = name
    self.id = id
    self.version = version
    self.fingerprint = fingerprint
    self.port = port
  }

  /// A TXT string has one byte for its length.
  private static let longestText = 255
  /// A label of the DNS.
  private static let longestInstance = 63

  package var services: [AnnouncedService] {
    [
      AnnouncedService(
        type: "_camrig._tcp", port: port,
        text: [
          "txtvers=1", "id=\(id)", Self.cut("name=\(readable)", Self.longestText), "version=\(version)",
          "fingerprint=\(fingerprint)", "paired-only=1",
        ]),
      AnnouncedService(type: "_https._tcp", port: port, text: ["path=/"]),
    ]
  }

  /// Under which it wants to be listed.
  package var instance: String { Self.cut(readable, Self.longestInstance) }

  /// What lists can show: in one line, never empty.
  private var readable: String {
    let words = name.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 } }
    return words.isEmpty ? "camrig" : words.joined(separator: " ")
  }

  /// Up to so many bytes, no character in part.
  private static func cut(_ text: String, _ bytes: Int) -> String {
    var room = bytes
    return String(
      text.prefix { character in
        room -= character.utf8.count
        return room >= 0
      })
  }
}
