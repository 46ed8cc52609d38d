import CamrigModel

/// The state as some of the monitors see it, with the revisions that they count.
struct StateEdition {
  private var state: JSONValue = [:]
  private var revision: Int64 = 0

  var snapshot: JSONValue { ["revision": .integer(revision), "state": state] }

  /// As `change`, to the same without one of its members.
  mutating func remove(_ member: String) throws -> RPCNotification? {
    try change(to: state.merged(with: [member: .null]))
  }

  /// What tells it to those who have the revision before; nil where nothing changed.
  mutating func change(to new: JSONValue) throws -> RPCNotification? {
    guard let patch = state.mergePatch(to: new) else { return nil }
    state = new
    revision += 1
    return RPCNotification(
      method: RigEventName.stateChanged.rawValue,
      params: try JSONValue(encoding: StateChange(revision: revision, patch: patch)))
  }
}
