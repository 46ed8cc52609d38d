import FoundationEssentials

extension JSONValue {
  /// What `value` is in JSON. Throws what its `encode(to:)` throws.
  package init(encoding value: some Encodable) throws {
    self = try JSONValue(json: JSONEncoder().encode(value))
  }

  /// Throws `DecodingError`; `RPCRequest.parameters(_:)` puts it into words.
  package func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try JSONDecoder().decode(T.self, from: Data(bytes))
  }
}
