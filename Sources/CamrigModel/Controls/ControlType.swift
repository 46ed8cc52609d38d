package enum ControlType: String, Codable, CaseIterable, Sendable {
  case integer, boolean, menu
  case integerMenu = "integer-menu"
  /// Setting it does something; it has no value.
  case button
  case integer64, bitmask, string
  /// Arrays, matrices and whatever later kernels bring: listed, never read or written.
  case unsupported

  /// Its value is one of `items`.
  package var isMenu: Bool { self == .menu || self == .integerMenu }
}

/// In V4L2's words.
package enum ControlFlag: String, Codable, CaseIterable, Sendable {
  /// It has no effect just now, mostly since an automatic has taken over.
  case inactive
  case readOnly = "read-only"
  case writeOnly = "write-only"
  /// The camera changes it by itself, without an event.
  case volatile
  /// It cannot be changed while the camera streams.
  case grabbed
  case disabled
}

/// What people look for, under one name for all cameras.
package enum ControlRole: String, Codable, CaseIterable, Sendable {
  case zoom, focus
  case focusAuto = "focus-auto"
  case exposure
  case exposureAuto = "exposure-auto"
  case gain
  case gainAuto = "gain-auto"
  case whiteBalance = "white-balance"
  case whiteBalanceAuto = "white-balance-auto"
  case brightness, contrast, saturation, sharpness
  case powerLineFrequency = "power-line-frequency"
  case pan, tilt
  /// The camera may not expose for longer than a frame takes. On is the control's off.
  case keepFrameRate = "keep-frame-rate"
}
