/// Why a control was refused, for programs.
package struct ControlReason: Hashable, Codable, Sendable {
  /// A `ControlRefusalCode`; of a newer rig perhaps another.
  package var code: String
  /// With `control.inactive`: the key of the automatic that works it, where it is known.
  package var automatic: String?
  /// With `control.device`: what the driver answered, as `EIO`.
  package var errno: String?

  package init(_ code: ControlRefusalCode, automatic: String? = nil, errno: String? = nil) {
    self.code = code.rawValue
    self.automatic = automatic
    self.errno = errno
  }
}

extension ControlRefusal {
  package var reason: ControlReason {
    switch self {
    case .unknown: ControlReason(.unknown)
    case .readOnly: ControlReason(.readOnly)
    case .disabled: ControlReason(.disabled)
    case .unsupported: ControlReason(.listedOnly)
    case .notBoolean, .notNumber: ControlReason(.wrongType)
    case .noSuchItem: ControlReason(.noSuchItem)
    case .unknownBits: ControlReason(.unknownBits)
    case .badLength: ControlReason(.badLength)
    case .inactive(_, let by): ControlReason(.inactive, automatic: by?.key)
    case .grabbed: ControlReason(.grabbed)
    case .hasNoDefault: ControlReason(.noDefault)
    case .late: ControlReason(.late)
    case .device(_, _, let errno): ControlReason(.device, errno: errno)
    case .unplugged: ControlReason(.unplugged)
    }
  }
}
