import CamrigModel
import Settings

/// What a camera's own picture is to be flipped by, beside what users chose for its flip controls. Users see, set and keep
/// their own choice; the driver has what comes of both, one exclusive-or the other.
package struct CameraFlips: Hashable, Sendable {
  /// V4L2_CID_HFLIP and V4L2_CID_VFLIP.
  package static let ids: [UInt32] = [0x0098_0914, 0x0098_0915]

  private let horizontal: Bool
  private let vertical: Bool

  package init(horizontal: Bool = false, vertical: Bool = false) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  private func flips(_ id: UInt32) -> Bool { id == Self.ids[0] ? horizontal : id == Self.ids[1] && vertical }

  /// From what users choose to what the driver has, and back.
  package func turned(_ value: ControlValue, of id: UInt32) -> ControlValue {
    flips(id) ? .bool(value.asNumber != 1) : value
  }

  package func turned(_ control: ControlDescription) -> ControlDescription {
    var control = control
    control.value = control.value.map { turned($0, of: control.id) }
    return control
  }

  /// What is set again whenever the camera comes, with both flips, as users chose them or by default.
  /// - Parameter controls: of a camera that has both.
  package func lasting(_ kept: [String: KeptControl], among controls: [ControlDescription]) -> [String: KeptControl] {
    var all = kept
    for id in Self.ids {
      guard let control = controls.first(where: { $0.id == id }) else { continue }
      let old = kept.filter { $0.value.id == id || $0.key == control.key }
      for name in old.keys { all[name] = nil }
      let chosen = (old.values.first?.value ?? control.defaultValue)?.asNumber == 1
      all[control.key] = KeptControl(id: id, value: .bool(chosen))
    }
    return all
  }
}
