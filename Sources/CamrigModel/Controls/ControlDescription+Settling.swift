extension ControlDescription {
  /// The value that comes nearest to what is asked and that the control can have: a number goes to the range and the
  /// steps, a menu takes an item's name as well, a boolean 0 and 1. Throws where nothing comes near.
  package func settled(_ asked: ControlValue) throws(ControlRefusal) -> ControlValue {
    if flags.contains(.readOnly) { throw .readOnly(key) }
    if flags.contains(.disabled) { throw .disabled(key) }
    switch type {
    case .unsupported: throw .unsupported(key)
    case .button: return .number(1)
    case .boolean: return .bool(try truth(asked))
    case .menu, .integerMenu: return .number(try item(asked))
    case .integer, .integer64: return .number(stepped(try number(asked)))
    case .bitmask:
      let bits = try number(asked)
      let known = maximum ?? Int64(UInt32.max)
      guard bits >= 0, bits & ~known == 0 else { throw .unknownBits(key, known: known) }
      return .number(bits)
    case .string: return .text(try fitting(asked))
    }
  }

  private func truth(_ asked: ControlValue) throws(ControlRefusal) -> Bool {
    switch asked {
    case .bool(let value): return value
    case .number(0): return false
    case .number(1): return true
    case .number: throw .notBoolean(key)
    case .text(let text):
      guard let value = ControlWords.truth(text) else { throw .notBoolean(key) }
      return value
    }
  }

  private func number(_ asked: ControlValue) throws(ControlRefusal) -> Int64 {
    guard let value = asked.asNumber ?? ControlWords.number(asked) else { throw .notNumber(key) }
    return value
  }

  private func item(_ asked: ControlValue) throws(ControlRefusal) -> Int64 {
    let items = items ?? [:]
    let words = items.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    switch asked {
    case .number(let value):
      guard items[value] != nil else { throw .noSuchItem(key, asked.description, items: words) }
      return value
    case .bool(let wished):
      // People say on and off to an automatic, whatever items it has.
      guard let pair = AutomaticPair.of(automatic: id),
        let value = (wished ? pair.automaticItems : pair.manualItems).first(where: { items[$0] != nil })
      else { throw .noSuchItem(key, asked.description, items: words) }
      return value
    case .text(let text):
      let named = items.filter { $0.value.lowercased() == text.lowercased() }.map(\.key)
      if let value = named.min() { return value }
      if let value = ControlWords.number(asked) { return try item(.number(value)) }
      if let value = ControlWords.truth(text), AutomaticPair.of(automatic: id) != nil { return try item(.bool(value)) }
      throw .noSuchItem(key, text, items: words)
    }
  }

  /// `minimum + n × step`, the nearest that is in the range.
  private func stepped(_ asked: Int64) -> Int64 {
    let (least, most) = (minimum ?? .min, max(maximum ?? .max, minimum ?? .min))
    let inRange = min(max(asked, least), most)
    guard let step, step > 1 else { return inRange }
    // Without sign: the range of a 64-bit control may be wider than an Int64 can count.
    let above = UInt64(bitPattern: inRange &- least)
    let room = UInt64(bitPattern: most &- least) / step
    let rest = above % step
    let steps = min(above / step + (rest >= step - rest ? 1 : 0), room)
    return least &+ Int64(bitPattern: steps &* step)
  }

  private func fitting(_ asked: ControlValue) throws(ControlRefusal) -> String {
    let text = asked.description
    let (least, most, step) = (minimum ?? 0, maximum ?? .max, Int64(clamping: step ?? 1))
    let count = Int64(text.utf8.count)
    guard !text.utf8.contains(0), count >= least, count <= most, step <= 1 || (count - least) % step == 0 else {
      throw .badLength(key, least: least, most: most, step: step)
    }
    return text
  }
}

/// What people write for a value.
package enum ControlWords {
  package static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "on", "true", "yes", "1": true
    case "off", "false", "no", "0": false
    default: nil
    }
  }

  /// Decimal, or hexadecimal after `0x`.
  package static func number(_ text: String) -> Int64? {
    guard text.lowercased().hasPrefix("0x") else { return Int64(text) }
    return Int64(text.dropFirst(2), radix: 16)
  }

  static func number(_ value: ControlValue) -> Int64? {
    guard case .text(let text) = value else { return nil }
    return number(text)
  }
}
