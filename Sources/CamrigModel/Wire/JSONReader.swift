/// Why a text is not JSON that we take.
package struct JSONError: Error, Hashable, CustomStringConvertible {
  /// In bytes from the start of the text.
  package let offset: Int
  package let reason: String

  package var description: String { "not JSON at byte \(offset): \(reason)" }
}

extension JSONValue {
  /// Deeper than any message of ours; keeps the reader's recursion within a small stack.
  package static let deepest = 64

  /// Reads one JSON text (RFC 8259) and nothing beside it. Stricter than most: an object that names a member twice,
  /// a number that is no finite Double, text that is not UTF-8, and nesting beyond `deepest` are refused.
  package init(json text: some Sequence<UInt8>) throws(JSONError) {
    var reader = JSONReader(text)
    self = try reader.document()
  }

  package init(json text: String) throws(JSONError) { try self.init(json: text.utf8) }
}

private struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: some Sequence<UInt8>) { bytes = Array(text) }

  mutating func document() throws(JSONError) -> JSONValue {
    let result = try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw failure("something follows the value") }
    return result
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func failure(_ reason: String, at offset: Int? = nil) -> JSONError {
    JSONError(offset: offset ?? position, reason: reason)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ byte: Character) -> Bool {
    guard next == byte.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < JSONValue.deepest else { throw failure("nested deeper than \(JSONValue.deepest) levels") }
    skipSpace()
    switch next {
    case nil: throw failure("the text ends too early")
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case .some: return try number()
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count, word.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) })
    else { throw failure("unknown word") }
    position = end
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      let start = position
      guard next == UInt8(ascii: "\"") else { throw failure("a member's name in quotes is missing") }
      let name = try string()
      skipSpace()
      guard take(":") else { throw failure("a colon is missing") }
      let member = try value(depth: depth + 1)
      guard members.updateValue(member, forKey: name) == nil else {
        throw failure("the object has a member twice", at: start)
      }
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw failure("a comma or } is missing") }
    }
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return .array(elements) }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take("]") { return .array(elements) }
      guard take(",") else { throw failure("a comma or ] is missing") }
    }
  }

  private mutating func string() throws(JSONError) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw failure("the text in quotes is not UTF-8", at: start)
        }
        return string
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw failure("a control character in quotes must be written as \\u00…", at: position - 1)
      default: text.append(byte)
      }
    }
    throw failure("the closing quote is missing")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    let start = position - 1
    guard let byte = next else { throw failure("the closing quote is missing") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if (0xD800..<0xDC00).contains(code), take("\\"), take("u") {
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { throw failure("half of a surrogate pair", at: start) }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw failure("half of a surrogate pair", at: start) }
      text.append(contentsOf: Array(String(Character(scalar)).utf8))
    default: throw failure("unknown escape", at: start)
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { throw failure("\\u needs four hexadecimal digits") }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    _ = take("-")
    let zero = next == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0 else { throw failure("unknown character", at: start) }
    guard !zero || whole == 1 else { throw failure("a number may not begin with 0", at: start) }
    var isInteger = true
    if take(".") {
      isInteger = false
      guard digits() > 0 else { throw failure("digits are missing after the point") }
    }
    if take("e") || take("E") {
      isInteger = false
      _ = take("+") || take("-")
      guard digits() > 0 else { throw failure("digits are missing in the exponent") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw failure("the number is too large", at: start) }
    return .number(value)
  }
}
