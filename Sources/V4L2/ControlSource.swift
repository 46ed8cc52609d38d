/// A control as a driver describes it.
package struct OfferedControl: Hashable, Sendable {
  package var id: UInt32
  /// `V4L2_CTRL_TYPE_…`
  package var type: UInt32
  package var name: String
  package var minimum: Int64
  package var maximum: Int64
  package var step: UInt64
  package var defaultValue: Int64
  /// `V4L2_CTRL_FLAG_…`
  package var flags: UInt32
  /// More than a single value: an array or a matrix.
  package var isArray: Bool

  package init(
    id: UInt32, type: UInt32, name: String, minimum: Int64 = 0, maximum: Int64 = 0, step: UInt64 = 0,
    defaultValue: Int64 = 0, flags: UInt32 = 0, isArray: Bool = false
  ) {
    self.id = id
    self.type = type
    self.name = name
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.defaultValue = defaultValue
    self.flags = flags
    self.isArray = isArray
  }
}

/// What can be asked of a device about its controls, with queries only.
package protocol ControlSource {
  /// - Parameter next: of the first control with a greater number; else of this one. `failed`: the driver tripped over
  ///   one, whose number it may tell.
  func query(_ id: UInt32, next: Bool) -> ControlAnswer
  /// Nil: the menu has no such item.
  func menuItem(_ id: UInt32, index: Int64, isInteger: Bool) -> String?
}

package enum ControlAnswer: Hashable, Sendable {
  case control(OfferedControl)
  /// No such control; with `next`, none further.
  case none
  /// The driver cannot be asked for the next one at all: an old one.
  case unknownCall
  case failed(UInt32)
}
