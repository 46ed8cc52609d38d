/// What a new monitor may become.
package struct PairingRequest: Codable, Sendable {
  /// `operator` where it is absent.
  package var role: AccessRole?
  package init(role: AccessRole? = nil) { self.role = role }
}

package struct PairingOffer: Codable, Sendable {
  /// Good once.
  package var code: String
  package var role: AccessRole
  package var expiresSeconds: Int
  /// Pages that fill the code in by themselves.
  package var urls: [String]
  package var fingerprint: String

  package init(code: String, role: AccessRole, expiresSeconds: Int, urls: [String], fingerprint: String) {
    self.code = code
    self.role = role
    self.expiresSeconds = expiresSeconds
    self.urls = urls
    self.fingerprint = fingerprint
  }
}

package struct MonitorDescription: Hashable, Codable, Sendable {
  package var id: String
  package var name: String
  package var role: AccessRole
  package var paired: WallTime
  /// To the hour.
  package var lastSeen: WallTime?
  /// Since the service started.
  package var address: String?
  package var connected: Bool

  package init(
    id: String, name: String, role: AccessRole, paired: WallTime, lastSeen: WallTime?, address: String?, connected: Bool
  ) {
    self.id = id
    self.name = name
    self.role = role
    self.paired = paired
    self.lastSeen = lastSeen
    self.address = address
    self.connected = connected
  }
}

package struct MonitorReference: Codable, Sendable {
  package var monitor: String
  package init(monitor: String) { self.monitor = monitor }
}
