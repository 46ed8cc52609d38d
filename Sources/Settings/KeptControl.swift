import CamrigModel

/// A control's value as a user chose it, kept under the control's key. The number is the same on every kernel, the key
/// is not.
package struct KeptControl: Hashable, Codable, Sendable {
  package var id: UInt32?
  package var value: ControlValue
  package init(id: UInt32?, value: ControlValue) {
    self.id = id
    self.value = value
  }
}
