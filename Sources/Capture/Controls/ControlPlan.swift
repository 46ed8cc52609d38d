import CamrigModel
import Settings

/// What is written for a wish and in which order, and what of it cannot be.
struct ControlPlan {
  struct Step: Hashable, Sendable {
    let id: UInt32
    let value: ControlValue
  }

  private(set) var steps: [Step] = []
  private(set) var refused: [String: ControlRefusal] = [:]

  private let controls: [ControlDescription]

  /// - Parameters:
  ///   - values: by key, older name or role.
  ///   - controls: of the camera, with the values that hold once all is written that waits already.
  init(_ values: [String: ControlValue], among controls: [ControlDescription]) {
    self.controls = controls
    var wished: [UInt32: ControlValue] = [:]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let control = Self.find(name, in: controls) else {
        refused[name] = .unknown(name, nearest: Nearest.to(name, among: controls.map(\.key)))
        continue
      }
      do throws(ControlRefusal) {
        wished[control.id] = try control.settled(Self.asked(name, value, control))
      } catch {
        refused[control.key] = error
      }
    }
    make(wished, switchesOff: true)
  }

  /// What was kept of a camera that is the same or much the same: found by number first, for names change. A control
  /// that an automatic works now is left to it, and its value waits for the day when the automatic is off.
  init(kept: [String: KeptControl], among controls: [ControlDescription]) {
    self.controls = controls
    var wished: [UInt32: ControlValue] = [:]
    // Of two names for one control, as a hand may have written them, the last counts: always the same.
    for (name, one) in kept.sorted(by: { $0.key < $1.key }) {
      guard let control = controls.first(where: { $0.id == one.id }) ?? Self.find(name, in: controls) else {
        refused[name] = .unknown(name, nearest: nil)
        continue
      }
      // Kept by an earlier release.
      if CameraLight.isSwitch(control) { continue }
      do throws(ControlRefusal) {
        wished[control.id] = try control.settled(one.value)
      } catch {
        refused[control.key] = error
      }
    }
    make(wished, switchesOff: false)
  }

  /// Back to the driver's defaults; `names` nil: all that have one. The automatics come last, since with them on the
  /// others cannot be written any more.
  init(reset names: [String]?, among controls: [ControlDescription]) {
    self.controls = controls
    var chosen: [ControlDescription] = []
    if let names {
      for name in names {
        if let control = Self.find(name, in: controls) {
          chosen.append(control)
        } else {
          refused[name] = .unknown(name, nearest: Nearest.to(name, among: controls.map(\.key)))
        }
      }
    } else {
      chosen = controls.filter {
        Self.defaultValue($0) != nil && $0.flags.isDisjoint(with: [.inactive, .grabbed])
      }
    }
    for control in chosen {
      guard let value = Self.defaultValue(control) else {
        refused[control.key] = Self.whyNoDefault(control)
        continue
      }
      steps.append(Step(id: control.id, value: value))
    }
    steps = steps.filter { !Self.isAutomatic($0.id) } + steps.filter { Self.isAutomatic($0.id) }
  }

  /// Nil also where a driver's default is an item that its menu does not have.
  private static func defaultValue(_ control: ControlDescription) -> ControlValue? {
    guard control.isKept, let value = control.defaultValue else { return nil }
    if control.type.isMenu, let item = value.asNumber, control.items?[item] == nil { return nil }
    return value
  }

  private static func whyNoDefault(_ control: ControlDescription) -> ControlRefusal {
    if control.flags.contains(.readOnly) { return .readOnly(control.key) }
    if control.flags.contains(.disabled) { return .disabled(control.key) }
    return control.type == .unsupported ? .unsupported(control.key) : .hasNoDefault(control.key)
  }

  private mutating func make(_ wished: [UInt32: ControlValue], switchesOff: Bool) {
    var first: [Step] = []
    var then: [Step] = []
    for control in controls {
      guard let value = wished[control.id] else { continue }
      if Self.isAutomatic(control.id) {
        first.append(Step(id: control.id, value: value))
        continue
      }
      switch automatic(over: control, wished) {
      case .off: break
      case .on(let automatic) where wished[automatic.id] == nil && switchesOff:
        guard let manual = Self.manualValue(automatic) else {
          refused[control.key] = .inactive(control.key, by: .init(key: automatic.key, value: nil))
          continue
        }
        if !first.contains(where: { $0.id == automatic.id }) { first.append(Step(id: automatic.id, value: manual)) }
      case .on(let automatic):
        let value = wished[automatic.id] ?? automatic.value
        let by = ControlRefusal.Automatic(key: automatic.key, value: value.map(automatic.words) ?? "on")
        if switchesOff { refused[control.key] = .inactive(control.key, by: by) }
        continue
      }
      then.append(Step(id: control.id, value: value))
    }
    steps = first + then
  }

  private enum Automatic {
    case off
    case on(ControlDescription)
  }

  private func automatic(over control: ControlDescription, _ wished: [UInt32: ControlValue]) -> Automatic {
    guard let pair = AutomaticPair.of(dependent: control.id),
      let automatic = controls.first(where: { $0.id == pair.automatic && $0.isKept }),
      let value = (wished[automatic.id] ?? automatic.value)?.asNumber
    else { return .off }
    return pair.manualItems.contains(value) ? .off : .on(automatic)
  }

  /// What works a control that the driver calls inactive, as the controls are now.
  static func worker(of control: ControlDescription, among controls: [ControlDescription]) -> ControlRefusal.Automatic?
  {
    guard let pair = AutomaticPair.of(dependent: control.id),
      let automatic = controls.first(where: { $0.id == pair.automatic }),
      let value = automatic.value, let item = value.asNumber, !pair.manualItems.contains(item)
    else { return nil }
    return .init(key: automatic.key, value: automatic.words(value))
  }

  private static func manualValue(_ automatic: ControlDescription) -> ControlValue? {
    // A switch is off, a menu is at its manual item: `settled` knows which that is.
    try? automatic.settled(.bool(false))
  }

  private static func isAutomatic(_ id: UInt32) -> Bool { AutomaticPair.of(automatic: id) != nil }

  static func find(_ name: String, in controls: [ControlDescription]) -> ControlDescription? {
    if let control = controls.first(where: { $0.key == name }) { return control }
    if let role = ControlRole(rawValue: name), let control = controls.first(where: { $0.role == role }) {
      return control
    }
    return KnownControls.names[name].flatMap { id in controls.first { $0.id == id } }
  }

  /// To keep the frame rate is not to let the exposure have its way.
  private static func asked(_ name: String, _ value: ControlValue, _ control: ControlDescription) -> ControlValue {
    guard name == ControlRole.keepFrameRate.rawValue, control.key != name,
      case .bool(let keeps)? = try? ControlDescription(key: name, id: 0, name: "", type: .boolean).settled(value)
    else { return value }
    return .bool(!keeps)
  }
}
