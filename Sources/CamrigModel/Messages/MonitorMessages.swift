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
  /// Of each of `urls` the squares of its QR code: rows of 0 and 1, without the margin. Empty where it does not fit a
  /// code.
  package var qrCodes: [[String]]?

  package init(
    code: String, role: AccessRole, expiresSeconds: Int, urls: [String], fingerprint: String, qrCodes: [[String]]
  ) {
    self.code = code
    self.role = role
    self.expiresSeconds = expiresSeconds
    self.urls = urls
    self.fingerprint = fingerprint
    self.qrCodes = qrCodes
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
