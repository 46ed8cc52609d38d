import CamrigModel
import Settings

/// What a camera's own picture is to be flipped by, on top of what users chose for its flip controls.
struct CameraFlips: Hashable, Sendable {
  /// V4L2_CID_HFLIP and V4L2_CID_VFLIP.
  static let ids: [UInt32] = [0x0098_0914, 0x0098_0915]

  var horizontal = false
  var vertical = false

  /// - Parameter controls: of a camera that has both.
  func added(to kept: [String: KeptControl], among controls: [ControlDescription]) -> [String: KeptControl] {
    var all = kept
    for (id, flips) in zip(Self.ids, [horizontal, vertical]) {
      guard let control = controls.first(where: { $0.id == id }) else { continue }
      let old = kept.filter { $0.value.id == id || $0.key == control.key }
      for name in old.keys { all[name] = nil }
      let chosen = (old.values.first?.value ?? control.defaultValue)?.asNumber == 1
      all[control.key] = KeptControl(id: id, value: .bool(chosen != flips))
    }
    return all
  }
}
