/// What a control is set to: a boolean, a text, or a whole number for all else (a menu's index, a bitmask's bits).
package enum ControlValue: Hashable, Sendable {
  case bool(Bool)
  case number(Int64)
  case text(String)

  package init?(_ json: JSONValue) {
    switch json {
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .number(value)
    case .number(let value):
      // A slider's 12.0 and 11.7 are 12; what no Int64 can hold is no value.
      guard let whole = Int64(exactly: value.rounded()) else { return nil }
      self = .number(whole)
    case .string(let value): self = .text(value)
    case .null, .array, .object: return nil
    }
  }

  package var json: JSONValue {
    switch self {
    case .bool(let value): .bool(value)
    case .number(let value): .integer(value)
    case .text(let value): .string(value)
    }
  }

  /// As the driver counts: true is 1. Nil for a text.
  package var asNumber: Int64? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .number(let value): value
    case .text: nil
    }
  }
}

extension ControlValue: CustomStringConvertible {
  /// For people, and as `camrigctl set` takes it.
  package var description: String {
    switch self {
    case .bool(let value): value ? "on" : "off"
    case .number(let value): "\(value)"
    case .text(let value): value
    }
  }
}

extension ControlValue: Codable {
  package init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    guard let value = ControlValue(json) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "a control's value is a boolean, a number or a text"))
    }
    self = value
  }

  package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
