/// A control of a camera as monitors see it.
package struct ControlDescription: Hashable, Sendable {
  /// The name in v4l2-ctl's manner (`white_balance_automatic`), once per camera.
  package var key: String
  /// `V4L2_CID_…`
  package var id: UInt32
  /// The driver's.
  package var name: String
  /// `user`, `camera`, `image`, …, or the driver's own heading.
  package var group: String
  package var type: ControlType
  /// Of a string: the least and the most characters. Absent where the type has no range.
  package var minimum: Int64?
  package var maximum: Int64?
  package var step: UInt64?
  package var defaultValue: ControlValue?
  /// Absent where it cannot be read.
  package var value: ControlValue?
  /// Of a menu: only what there is, by its value.
  package var items: [Int64: String]?
  package var flags: Set<ControlFlag>
  package var role: ControlRole?
  /// Of the value, where one is known: `100 µs`, `K`.
  package var unit: String?

  package init(
    key: String, id: UInt32, name: String, group: String = "user", type: ControlType, minimum: Int64? = nil,
    maximum: Int64? = nil, step: UInt64? = nil, defaultValue: ControlValue? = nil, value: ControlValue? = nil,
    items: [Int64: String]? = nil, flags: Set<ControlFlag> = [], role: ControlRole? = nil, unit: String? = nil
  ) {
    self.key = key
    self.id = id
    self.name = name
    self.group = group
    self.type = type
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.defaultValue = defaultValue
    self.value = value
    self.items = items
    self.flags = flags
    self.role = role
    self.unit = unit
  }

  /// Whether its value is a choice of somebody's, to be kept: neither an action, nor what the camera finds by itself, nor
  /// a light that is on.
  package var isKept: Bool {
    switch type {
    case .button, .unsupported: false
    case .integer, .boolean, .menu, .integerMenu, .integer64, .bitmask, .string:
      flags.isDisjoint(with: [.readOnly, .disabled]) && !CameraLight.isSwitch(self)
    }
  }

  /// Its value as people read it: a menu's item in words.
  package func words(_ value: ControlValue) -> String {
    if type.isMenu, let number = value.asNumber, let item = items?[number] { return item }
    return value.description
  }
}

extension ControlDescription: Codable {
  private enum Key: String, CodingKey {
    case key, id, name
    case group = "class"
    case type, minimum, maximum, step
    case defaultValue = "default"
    case value, items, flags, role, unit
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    key = try container.decode(String.self, forKey: .key)
    id = try container.decode(UInt32.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    group = try container.decode(String.self, forKey: .group)
    type = try container.decode(ControlType.self, forKey: .type)
    minimum = try container.decodeIfPresent(Int64.self, forKey: .minimum)
    maximum = try container.decodeIfPresent(Int64.self, forKey: .maximum)
    step = try container.decodeIfPresent(UInt64.self, forKey: .step)
    defaultValue = try container.decodeIfPresent(ControlValue.self, forKey: .defaultValue)
    value = try container.decodeIfPresent(ControlValue.self, forKey: .value)
    items = try container.decodeIfPresent([String: String].self, forKey: .items).map { items in
      Dictionary(items.compactMap { index, name in Int64(index).map { ($0, name) } }) { first, _ in first }
    }
    flags = Set(try container.decode([ControlFlag].self, forKey: .flags))
    role = try container.decodeIfPresent(ControlRole.self, forKey: .role)
    unit = try container.decodeIfPresent(String.self, forKey: .unit)
  }

  package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// Made by hand, for the state holds hundreds of them.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "key": .string(key), "id": .integer(Int64(id)), "name": .string(name), "class": .string(group),
      "type": .string(type.rawValue),
      // In one order, so that a merge patch says nothing where nothing has changed.
      "flags": .array(ControlFlag.allCases.filter(flags.contains).map { .string($0.rawValue) }),
    ]
    if let minimum { members["minimum"] = .integer(minimum) }
    if let maximum { members["maximum"] = .integer(maximum) }
    if let step { members["step"] = .integer(Int64(clamping: step)) }
    if let defaultValue { members["default"] = defaultValue.json }
    if let value { members["value"] = value.json }
    if let items {
      members["items"] = .object(
        Dictionary(uniqueKeysWithValues: items.map { ("\($0.key)", JSONValue.string($0.value)) }))
    }
    if let role { members["role"] = .string(role.rawValue) }
    if let unit { members["unit"] = .string(unit) }
    return .object(members)
  }
}
