/// One DNS-SD service of the rig.
package struct AnnouncedService: Hashable, Sendable {
  /// Such as `_https._tcp`.
  package let type: String
  package let port: UInt16
  /// The strings of its TXT record (RFC 6763), each of at most 255 bytes.
  package let text: [String]

  package init(type: String, port: UInt16, text: [String]) {
    self.type = type
    self.port = port
    self.text = text
  }
}
