import CamrigModel
import HTTP

/// A rig that this user has paired with.
package struct KnownRig: Hashable, Sendable {
  package var name: String
  package var address: RigAddress
  package var fingerprint: CertificateFingerprint
  package var token: String
  /// What a newer version has written beside it.
  private var others: [String: JSONValue] = [:]

  package init(name: String, address: RigAddress, fingerprint: CertificateFingerprint, token: String) {
    self.name = name
    self.address = address
    self.fingerprint = fingerprint
    self.token = token
  }

  /// Nil where something of it is missing.
  init?(json: JSONValue) {
    guard let members = json.asObject, let name = json["name"]?.asString,
      let address = json["address"]?.asString.flatMap({ RigAddress($0) }),
      let fingerprint = json["fingerprint"]?.asString.flatMap({ CertificateFingerprint($0) }),
      let token = json["token"]?.asString
    else { return nil }
    self.init(name: name, address: address, fingerprint: fingerprint, token: token)
    others = members
  }

  var json: JSONValue {
    var members = others
    members["name"] = .string(name)
    members["address"] = .string(address.description)
    members["fingerprint"] = .string(fingerprint.description)
    members["token"] = .string(token)
    return .object(members)
  }
}
