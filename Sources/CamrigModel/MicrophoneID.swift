/// The name of a microphone that never changes, made as a camera's is: from what is plugged in where, never from a card's number.
/// Made of `A–Z a–z 0–9 . _ : -` only, so that it can stand in a file name and on a command line.
package struct MicrophoneID: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package init(_ text: String) { rawValue = text }

  package var description: String { rawValue }

  package static func < (a: MicrophoneID, b: MicrophoneID) -> Bool { a.rawValue < b.rawValue }

  package init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension MicrophoneID: CodingKeyRepresentable {
  package var codingKey: any CodingKey { TextKey(rawValue) }

  package init?(codingKey: some CodingKey) { rawValue = codingKey.stringValue }

  private struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
