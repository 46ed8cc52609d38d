/// One of `torch` and `camera` names it; with neither it is the rig's only one.
package struct TorchSetRequest: Codable, Sendable {
  package var torch: String?
  /// An ID or a name: the torch that belongs to it.
  package var camera: String?
  /// Without a level: as bright as the last time, or fully.
  package var on: Bool?
  /// 0 to `maxLevel`.
  package var level: Int?

  package init(torch: String? = nil, camera: String? = nil, on: Bool? = nil, level: Int? = nil) {
    self.torch = torch
    self.camera = camera
    self.on = on
    self.level = level
  }
}

/// All torches of the rig.
package struct TorchesChange: Codable, Sendable {
  package var torches: [TorchDescription]
  package init(torches: [TorchDescription]) { self.torches = torches }
}
