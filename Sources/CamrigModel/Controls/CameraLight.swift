/// A light in a camera, by the camera's own controls: the flash class of V4L2, or a switch that is known to be a light.
/// What the lights of other devices are, `LightPlace` says.
package struct CameraLight: Hashable, Sendable {
  /// Once per camera: `torch`, `illuminator_1`.
  package let name: String
  package let backend: TorchDescription.Backend
  /// 0 is off.
  package let level: Int
  package let maxLevel: Int
  /// What the camera says is wrong with it, in words.
  package let faults: [String]
  /// Whose change is a change of the light.
  package let controls: Set<UInt32>
  private let make: Make

  /// How it is switched.
  private enum Make: Hashable, Sendable {
    /// The mode, and how bright: brightness of a level is `base + level × step`.
    case flash(mode: String, intensity: Intensity?)
    case toggle(String)
    case dimmer(String, Intensity)
  }

  private struct Intensity: Hashable, Sendable {
    let key: String
    let base: Int64
    let step: Int64
    let levels: Int

    init?(_ control: ControlDescription) {
      let step = Int64(clamping: max(1, control.step ?? 1))
      guard control.type == .integer, control.isChangeable, let least = control.minimum, let most = control.maximum,
        most > least, least >= 0
      else { return nil }
      key = control.key
      self.step = step
      // Where the least brightness is dark it is level 0, which is off in any case.
      base = least == 0 ? 0 : least - step
      levels = Int(clamping: (most - base) / step)
    }

    func level(_ value: Int64) -> Int { min(max(1, Int(clamping: (value - base) / step)), levels) }
    func value(_ level: Int) -> ControlValue { .number(base + Int64(level) * step) }
  }

  /// All lights of a camera, in the order of its controls.
  package static func all(in controls: [ControlDescription]) -> [CameraLight] {
    controls.compactMap { control in
      control.id == Known.ledMode ? CameraLight(flash: control, controls) : CameraLight(switch: control)
    }
  }

  /// What is to be written for a level, one after the other. A torch gets its brightness first, so that it never shines
  /// brighter than asked.
  package func writes(_ level: Int) -> [[String: ControlValue]] {
    switch make {
    case .flash(let mode, let intensity):
      guard level > 0 else { return [[mode: .number(Known.modeOff)]] }
      return (intensity.map { [[$0.key: $0.value(level)]] } ?? []) + [[mode: .number(Known.modeTorch)]]
    case .toggle(let key): return [[key: .bool(level > 0)]]
    case .dimmer(let key, let intensity): return [[key: intensity.value(max(0, level))]]
    }
  }

  /// Whether the control switches a light. Such a one is never kept: no light goes on because the rig was started.
  package static func isSwitch(_ control: ControlDescription) -> Bool {
    control.id == Known.ledMode || CameraLight(switch: control) != nil
  }

  /// Whether a change of this control may be one of a light.
  package static func concerns(_ control: ControlDescription) -> Bool {
    control.group == "flash" || isSwitch(control)
  }

  private init?(flash mode: ControlDescription, _ controls: [ControlDescription]) {
    guard mode.type == .menu, mode.isChangeable, mode.items?[Known.modeTorch] != nil,
      mode.items?[Known.modeOff] != nil
    else { return nil }
    let brightness = controls.first { $0.id == Known.torchIntensity }
    let fault = controls.first { $0.id == Known.fault }
    let intensity = brightness.flatMap { Intensity($0) }
    name = "torch"
    backend = .flashControl
    maxLevel = intensity?.levels ?? 1
    let isOn = mode.value?.asNumber == Known.modeTorch
    level = isOn ? brightness?.value?.asNumber.flatMap { intensity?.level($0) } ?? maxLevel : 0
    faults = fault?.value?.asNumber.map(Known.faults) ?? []
    self.controls = Set([mode.id] + [brightness, fault].compactMap { $0?.id })
    make = .flash(mode: mode.key, intensity: intensity)
  }

  private init?(switch control: ControlDescription) {
    guard Known.illuminators.contains(control.id) || Known.isLight(control.name), control.group != "flash",
      control.isChangeable, !control.flags.contains(.writeOnly)
    else { return nil }
    name = control.key
    backend = .control
    faults = []
    controls = [control.id]
    switch (control.type, control.defaultValue?.asNumber) {
    // One that is on by default is the camera's usual light, which is not the rig's to switch off.
    case (.boolean, 0):
      maxLevel = 1
      level = control.value?.asNumber == 1 ? 1 : 0
      make = .toggle(control.key)
    case (.integer, 0):
      guard control.minimum == 0, let intensity = Intensity(control) else { return nil }
      maxLevel = intensity.levels
      level = control.value?.asNumber.map { $0 > 0 ? intensity.level($0) : 0 } ?? 0
      make = .dimmer(control.key, intensity)
    case (.boolean, _), (.integer, _), (.menu, _), (.integerMenu, _), (.button, _), (.integer64, _), (.bitmask, _),
      (.string, _), (.unsupported, _):
      return nil
    }
  }
}

/// From linux/v4l2-controls.h.
private enum Known {
  static let ledMode: UInt32 = 0x009c_0901
  static let torchIntensity: UInt32 = 0x009c_0908
  static let fault: UInt32 = 0x009c_090a
  static let modeOff: Int64 = 0
  static let modeTorch: Int64 = 2
  /// `V4L2_CID_ILLUMINATORS_1` and `_2`: the lamps of a microscope.
  static let illuminators: Set<UInt32> = [0x0098_0925, 0x0098_0926]

  /// Names of vendors' controls that mean a light to see by, in one of their words.
  private static let words: Set<String> = ["torch", "flashlight", "illuminator", "illumination", "lamp"]

  static func isLight(_ name: String) -> Bool {
    name.lowercased().split { !($0.isASCII && $0.isLetter) }.contains { words.contains(String($0)) }
  }

  /// `V4L2_FLASH_FAULT_…`, by their bits.
  private static let faultNames = [
    "overvoltage", "its timeout was exceeded", "over-temperature", "a short circuit", "over-current",
    "a fault of the indicator", "undervoltage", "the supply's voltage is too low", "the LED is too hot",
  ]

  static func faults(_ bits: Int64) -> [String] {
    faultNames.indices.filter { bits >> Int64($0) & 1 == 1 }.map { faultNames[$0] }
      + (bits >> Int64(faultNames.count) > 0 ? ["an unknown fault"] : [])
  }
}

extension ControlDescription {
  fileprivate var isChangeable: Bool { flags.isDisjoint(with: [.readOnly, .disabled]) }
}
