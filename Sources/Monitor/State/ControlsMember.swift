import CamrigModel

/// The state's member `controls`: of each camera that has some its controls by their keys. What has not changed is not made anew.
struct ControlsMember {
  private var made: [CameraID: (controls: [ControlDescription], json: JSONValue)] = [:]

  mutating func json(_ cameras: [CameraID: [ControlDescription]]) -> JSONValue {
    made = made.filter { cameras[$0.key] != nil }
    var members: [String: JSONValue] = [:]
    for (id, controls) in cameras where !controls.isEmpty {
      if made[id]?.controls != controls {
        made[id] = (controls, .object(Dictionary(controls.map { ($0.key, $0.json) }) { first, _ in first }))
      }
      members[id.rawValue] = made[id]?.json
    }
    return .object(members)
  }
}
