/// A stranger in the network that asks to be let in.
package struct PairingRequestDescription: Hashable, Codable, Sendable {
  package var request: String
  /// What it calls itself: its own choice.
  package var name: String
  package var address: String
  /// Four digits that it shows, too.
  package var check: String
  package var at: WallTime

  package init(request: String, name: String, address: String, check: String, at: WallTime) {
    self.request = request
    self.name = name
    self.address = address
    self.check = check
    self.at = at
  }
}

package struct PairingApproval: Codable, Sendable {
  package var request: String
  /// `operator` where it is absent.
  package var role: AccessRole?

  package init(request: String, role: AccessRole? = nil) {
    self.request = request
    self.role = role
  }
}

package struct PairingDenial: Codable, Sendable {
  package var request: String
  package init(request: String) { self.request = request }
}
