import CamrigModel
import HTTP

/// The rigs that this user has paired with. A rig is its fingerprint; addresses and names may change.
package struct KnownRigs: Hashable, Sendable {
  package private(set) var rigs: [KnownRig] = []
  /// What a newer version has written beside them.
  private var others: [String: JSONValue] = [:]

  package init() {}

  /// Nil where it is no list of rigs.
  package init?(json: JSONValue) {
    guard let members = json.asObject, let list = json["rigs"]?.asArray else { return nil }
    let rigs = list.compactMap { KnownRig(json: $0) }
    guard rigs.count == list.count else { return nil }
    self.rigs = rigs
    others = members
  }

  package var json: JSONValue {
    var members = others
    members["rigs"] = .array(rigs.map(\.json))
    return .object(members)
  }

  /// By its address, or by a name that only one has.
  package func find(_ text: String) -> KnownRig? {
    if let address = RigAddress(text), let rig = rigs.first(where: { $0.address == address }) { return rig }
    let named = rigs.filter { $0.name.lowercased() == text.lowercased() }
    return named.count == 1 ? named[0] : nil
  }

  package func find(_ fingerprint: CertificateFingerprint) -> KnownRig? {
    rigs.first { $0.fingerprint == fingerprint }
  }

  /// Takes the place of what is known of the same rig, and of whatever else was at its address.
  package mutating func keep(_ rig: KnownRig) {
    rigs.removeAll { $0.fingerprint == rig.fingerprint || $0.address == rig.address }
    rigs.append(rig)
  }

  package mutating func forget(_ rig: KnownRig) { rigs.removeAll { $0.fingerprint == rig.fingerprint } }
}
