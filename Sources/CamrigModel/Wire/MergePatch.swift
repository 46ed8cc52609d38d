/// JSON merge patches (RFC 7396). Neither side may hold nulls: in a patch null takes a member away.
extension JSONValue {
  /// What turns this value into `target`; nil where they are equal.
  package func mergePatch(to target: JSONValue) -> JSONValue? {
    guard self != target else { return nil }
    guard case .object(let old) = self, case .object(let new) = target else { return target }
    var patch: [String: JSONValue] = [:]
    for key in old.keys where new[key] == nil { patch[key] = .null }
    for (key, value) in new {
      guard let before = old[key] else {
        patch[key] = value
        continue
      }
      if let change = before.mergePatch(to: value) { patch[key] = change }
    }
    return .object(patch)
  }

  package func merged(with patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var members = asObject ?? [:]
    for (key, change) in changes {
      if change == .null {
        members.removeValue(forKey: key)
      } else {
        members[key] = (members[key] ?? [:]).merged(with: change)
      }
    }
    return .object(members)
  }
}
