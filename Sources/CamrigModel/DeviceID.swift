/// The name of a device that never changes (DESIGN rule 7). Made of `A–Z a–z 0–9 . _ : -` only, so that it can stand
/// in a file name and on a command line. In JSON a text, as a value and as a key.
package protocol DeviceID: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible,
  CodingKeyRepresentable
where RawValue == String {
  init(_ text: String)
  init(rawValue: String)
}

extension DeviceID {
  package var description: String { rawValue }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  package init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  package var codingKey: any CodingKey { DeviceKey(stringValue: rawValue) }

  package init?(codingKey: some CodingKey) { self.init(rawValue: codingKey.stringValue) }
}

private struct DeviceKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
