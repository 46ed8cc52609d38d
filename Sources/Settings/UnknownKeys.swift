/// Keys of a JSON object that this release does not know: kept, so that going back to an older release and forth again
/// loses nothing.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ text: String) { stringValue = text }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

enum UnknownKeys {
  static func read(_ decoder: any Decoder, besides known: [any CodingKey]) throws -> [String: JSONValue] {
    let container = try decoder.container(keyedBy: AnyKey.self)
    let names = Set(known.map(\.stringValue))
    var unknown: [String: JSONValue] = [:]
    for key in container.allKeys where !names.contains(key.stringValue) {
      unknown[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
    }
    return unknown
  }

  static func write(_ unknown: [String: JSONValue], _ encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    for (name, value) in unknown { try container.encode(value, forKey: AnyKey(name)) }
  }
}
