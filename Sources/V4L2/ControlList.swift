import CVideo4Linux
import CamrigModel

/// A device's controls in the driver's order, without their values, whatever the driver does: some trip over one
/// control, some know no list and must be asked number by number, some answer every question alike.
package enum ControlList {
  /// Far more than any device has.
  static let most = 1024
  /// Of one menu. Drivers say any maximum.
  static let mostItems: Int64 = 1024

  package static func read(_ source: some ControlSource) -> [ControlDescription] {
    var headings: [UInt32: String] = [:]
    var keys: Set<String> = []
    var controls: [ControlDescription] = []
    for offered in offers(source) {
      if offered.type == V4L2_CTRL_TYPE_CTRL_CLASS.rawValue {
        headings[offered.id & 0x0fff_0000] = dashed(offered.name)
        continue
      }
      var control = describe(offered, source)
      control.group = KnownControls.group(offered.id) ?? headings[offered.id & 0x0fff_0000] ?? "other"
      control.key = free(control.key, &keys)
      controls.append(control)
    }
    for (role, ids) in KnownControls.roles {
      let index = ids.lazy.compactMap { id in controls.firstIndex { $0.id == id && isUsable($0) } }.first
      if let index { controls[index].role = role }
    }
    return controls
  }

  package static func describe(_ offered: OfferedControl, _ source: some ControlSource) -> ControlDescription {
    let type = type(offered)
    var control = ControlDescription(
      key: KnownControls.key(offered.name), id: offered.id, name: offered.name, type: type,
      flags: flags(offered), unit: KnownControls.unit(offered.id))
    switch type {
    case .integer, .integer64:
      control.minimum = offered.minimum
      control.maximum = offered.maximum
      control.step = max(offered.step, 1)
      control.defaultValue = .number(offered.defaultValue)
    case .boolean: control.defaultValue = .bool(offered.defaultValue != 0)
    case .menu, .integerMenu:
      control.minimum = offered.minimum
      control.maximum = offered.maximum
      control.defaultValue = .number(offered.defaultValue)
      control.items = items(offered, source, isInteger: type == .integerMenu)
    case .bitmask:
      control.minimum = 0
      // Bits 31 and up come with a sign.
      control.maximum = offered.maximum & Int64(UInt32.max)
      control.defaultValue = .number(offered.defaultValue & Int64(UInt32.max))
    case .string:
      control.minimum = offered.minimum
      control.maximum = offered.maximum
      control.step = max(offered.step, 1)
    case .button, .unsupported: break
    }
    return control
  }

  private static func isUsable(_ control: ControlDescription) -> Bool {
    control.type != .unsupported && !control.flags.contains(.disabled)
  }

  private static func type(_ offered: OfferedControl) -> ControlType {
    guard !offered.isArray else { return .unsupported }
    return switch v4l2_ctrl_type(rawValue: offered.type) {
    case V4L2_CTRL_TYPE_INTEGER: .integer
    case V4L2_CTRL_TYPE_BOOLEAN: .boolean
    case V4L2_CTRL_TYPE_MENU: .menu
    case V4L2_CTRL_TYPE_INTEGER_MENU: .integerMenu
    case V4L2_CTRL_TYPE_BUTTON: .button
    case V4L2_CTRL_TYPE_INTEGER64: .integer64
    case V4L2_CTRL_TYPE_BITMASK: .bitmask
    case V4L2_CTRL_TYPE_STRING: .string
    default: .unsupported
    }
  }

  package static func flags(_ raw: UInt32) -> Set<ControlFlag> {
    let words: [(Int32, ControlFlag)] = [
      (V4L2_CTRL_FLAG_DISABLED, .disabled), (V4L2_CTRL_FLAG_GRABBED, .grabbed),
      (V4L2_CTRL_FLAG_READ_ONLY, .readOnly), (V4L2_CTRL_FLAG_INACTIVE, .inactive),
      (V4L2_CTRL_FLAG_WRITE_ONLY, .writeOnly), (V4L2_CTRL_FLAG_VOLATILE, .volatile),
    ]
    return Set(words.compactMap { raw & UInt32(bitPattern: $0) != 0 ? $1 : nil })
  }

  private static func flags(_ offered: OfferedControl) -> Set<ControlFlag> { flags(offered.flags) }

  private static func items(
    _ offered: OfferedControl, _ source: some ControlSource, isInteger: Bool
  ) -> [Int64: String] {
    guard offered.minimum >= 0, offered.maximum >= offered.minimum else { return [:] }
    var items: [Int64: String] = [:]
    for index in offered.minimum...min(offered.maximum, offered.minimum + mostItems - 1) {
      if let name = source.menuItem(offered.id, index: index, isInteger: isInteger) { items[index] = name }
    }
    return items
  }

  // MARK: The walk

  private static func offers(_ source: some ControlSource) -> [OfferedControl] {
    var found: [OfferedControl] = []
    var last: UInt32 = 0
    while found.count < most {
      switch source.query(last, next: true) {
      case .control(let control):
        // A driver that does not count on would never end.
        guard control.id > last else { return found }
        found.append(control)
        last = control.id
      case .none: return found
      case .failed(let id) where id > last && id & 0xf000_0000 == 0: last = id
      case .failed, .unknownCall: return found + numbered(source, above: last)
      }
    }
    return found
  }

  /// Number by number, in the ranges where old drivers have theirs.
  private static func numbered(_ source: some ControlSource, above last: UInt32) -> [OfferedControl] {
    let ranges: [ClosedRange<UInt32>] = [0x0098_0900...0x0098_0940, 0x009a_0900...0x009a_0930]
    var found = ranges.joined().filter { $0 > last }.compactMap { id -> OfferedControl? in
      guard case .control(let control) = source.query(id, next: false), control.id == id else { return nil }
      return control
    }
    for id in UInt32(0x0800_0000)..<0x0800_0100 where id > last {
      guard case .control(let control) = source.query(id, next: false), control.id == id else { break }
      found.append(control)
    }
    return found
  }

  private static func free(_ key: String, _ taken: inout Set<String>) -> String {
    var free = key
    var number = 2
    while !taken.insert(free).inserted {
      free = "\(key)_\(number)"
      number += 1
    }
    return free
  }

  /// `Vivid Controls` is `vivid-controls`.
  private static func dashed(_ name: String) -> String {
    String(KnownControls.key(name).map { $0 == "_" ? "-" : $0 })
  }
}
