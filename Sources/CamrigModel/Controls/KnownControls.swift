/// What is known of V4L2's controls beside what a driver says of them, by their numbers (linux/v4l2-controls.h), which
/// are fixed for ever while names have changed.
package enum KnownControls {
  /// The controls that a role may be, the best first.
  package static let roles: [(role: ControlRole, ids: [UInt32])] = [
    (.zoom, [0x009a_090d]),
    (.focus, [0x009a_090a]),
    (.focusAuto, [0x009a_090c]),
    (.exposure, [0x009a_0902, 0x0098_0911, 0x009e_0901]),
    (.exposureAuto, [0x009a_0901]),
    (.gain, [0x0098_0913, 0x009e_0903, 0x009a_0917]),
    (.gainAuto, [0x0098_0912, 0x009a_0918]),
    (.whiteBalance, [0x0098_091a]),
    (.whiteBalanceAuto, [0x0098_090c]),
    (.brightness, [0x0098_0900]),
    (.contrast, [0x0098_0901]),
    (.saturation, [0x0098_0902]),
    (.sharpness, [0x0098_091b]),
    (.powerLineFrequency, [0x0098_0918]),
    (.pan, [0x009a_0908]),
    (.tilt, [0x009a_0909]),
    (.keepFrameRate, [exposureAutoPriority]),
  ]

  /// With it the camera may expose for longer than a frame takes.
  package static let exposureAutoPriority: UInt32 = 0x009a_0903

  package static func unit(_ id: UInt32) -> String? {
    switch id {
    case 0x009a_0902: "100 µs"
    case 0x0098_091a: "K"
    case 0x009a_0908, 0x009a_0909: "arc seconds"
    default: nil
    }
  }

  /// Names by which older and newer kernels, and so people's files, call a control.
  package static let names: [String: UInt32] = [
    "auto_exposure": 0x009a_0901, "exposure_auto": 0x009a_0901,
    "exposure_time_absolute": 0x009a_0902, "exposure_absolute": 0x009a_0902,
    "exposure_dynamic_framerate": exposureAutoPriority, "exposure_auto_priority": exposureAutoPriority,
    "focus_automatic_continuous": 0x009a_090c, "focus_auto": 0x009a_090c,
    "white_balance_automatic": 0x0098_090c, "white_balance_temperature_auto": 0x0098_090c,
    "auto_white_balance": 0x0098_090c,
    "gain_automatic": 0x0098_0912, "autogain": 0x0098_0912,
    "hue_automatic": 0x0098_0919, "hue_auto": 0x0098_0919,
    "brightness_automatic": 0x0098_0920, "iso_sensitivity_auto": 0x009a_0918,
    "pan_absolute": 0x009a_0908, "tilt_absolute": 0x009a_0909, "zoom_absolute": 0x009a_090d,
  ]

  /// The class that a control's number says it is of; nil for classes of drivers.
  package static func group(_ id: UInt32) -> String? {
    switch id & 0x0fff_0000 {
    // Old drivers number their own from 0x08000000.
    case 0x0098_0000, 0x0800_0000: "user"
    case 0x0099_0000: "codec"
    case 0x009a_0000: "camera"
    case 0x009c_0000: "flash"
    case 0x009d_0000: "jpeg"
    case 0x009e_0000: "image"
    case 0x009f_0000: "image-processing"
    case 0x00a0_0000: "digital-video"
    case 0x00a3_0000: "detection"
    case 0x00a4_0000: "codec-stateless"
    case 0x00a5_0000: "colorimetry"
    default: nil
    }
  }

  /// The driver's name as a key: `White Balance, Automatic` is `white_balance_automatic`.
  package static func key(_ name: String) -> String {
    var key = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        key.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): key.unicodeScalars.append(Unicode.Scalar(byte + 32))
      default: if key.last != "_", !key.isEmpty { key += "_" }
      }
    }
    if key.last == "_" { key.removeLast() }
    return key.isEmpty ? "control" : key
  }
}
