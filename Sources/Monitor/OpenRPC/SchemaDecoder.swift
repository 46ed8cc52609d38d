import CamrigModel

/// Gives a type what it asks for, and notes what that was.
struct SchemaDecoder: Decoder {
  let book: SchemaBook
  let node: SchemaNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SchemaMembers(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: codingPath, debugDescription: "a list of mixed values: make it JSONDescribed"))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { SchemaSingle(decoder: self) }
}

/// What stands for each simple type.
private enum SimpleSchema {
  static let text: JSONValue = ["type": "string"]
  static let truth: JSONValue = ["type": "boolean"]
  static let number: JSONValue = ["type": "number"]
  static let whole: JSONValue = ["type": "integer"]
  static let count: JSONValue = ["type": "integer", "minimum": 0]
}

private struct SchemaMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SchemaDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { [] }

  private func note<T>(_ key: Key, _ schema: JSONValue, _ value: T) -> T {
    decoder.node.note(key.stringValue, schema)
    return value
  }

  func contains(_ key: Key) -> Bool { true }

  // `decodeIfPresent` alone asks this.
  func decodeNil(forKey key: Key) -> Bool {
    decoder.node.mayBeAbsent(key.stringValue)
    return false
  }

  func decode(_ type: Bool.Type, forKey key: Key) -> Bool { note(key, SimpleSchema.truth, false) }
  func decode(_ type: String.Type, forKey key: Key) -> String { note(key, SimpleSchema.text, "") }
  func decode(_ type: Double.Type, forKey key: Key) -> Double { note(key, SimpleSchema.number, 0) }
  func decode(_ type: Float.Type, forKey key: Key) -> Float { note(key, SimpleSchema.number, 0) }
  func decode(_ type: Int.Type, forKey key: Key) -> Int { note(key, SimpleSchema.whole, 0) }
  func decode(_ type: Int8.Type, forKey key: Key) -> Int8 { note(key, SimpleSchema.whole, 0) }
  func decode(_ type: Int16.Type, forKey key: Key) -> Int16 { note(key, SimpleSchema.whole, 0) }
  func decode(_ type: Int32.Type, forKey key: Key) -> Int32 { note(key, SimpleSchema.whole, 0) }
  func decode(_ type: Int64.Type, forKey key: Key) -> Int64 { note(key, SimpleSchema.whole, 0) }
  func decode(_ type: UInt.Type, forKey key: Key) -> UInt { note(key, SimpleSchema.count, 0) }
  func decode(_ type: UInt8.Type, forKey key: Key) -> UInt8 { note(key, SimpleSchema.count, 0) }
  func decode(_ type: UInt16.Type, forKey key: Key) -> UInt16 { note(key, SimpleSchema.count, 0) }
  func decode(_ type: UInt32.Type, forKey key: Key) -> UInt32 { note(key, SimpleSchema.count, 0) }
  func decode(_ type: UInt64.Type, forKey key: Key) -> UInt64 { note(key, SimpleSchema.count, 0) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let (schema, value) = try decoder.book.describe(type)
    return note(key, schema, value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> { throw handmade(key) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw handmade(key) }
  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw handmade(key) }

  private func handmade(_ key: Key) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: "read by hand: make its type JSONDescribed")
  }
}

private struct SchemaSingle: SingleValueDecodingContainer {
  let decoder: SchemaDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  private func note<T>(_ schema: JSONValue, _ value: T) -> T {
    decoder.node.simple = schema
    return value
  }

  func decodeNil() -> Bool { false }
  func decode(_ type: Bool.Type) -> Bool { note(SimpleSchema.truth, false) }
  func decode(_ type: String.Type) -> String { note(SimpleSchema.text, "") }
  func decode(_ type: Double.Type) -> Double { note(SimpleSchema.number, 0) }
  func decode(_ type: Float.Type) -> Float { note(SimpleSchema.number, 0) }
  func decode(_ type: Int.Type) -> Int { note(SimpleSchema.whole, 0) }
  func decode(_ type: Int8.Type) -> Int8 { note(SimpleSchema.whole, 0) }
  func decode(_ type: Int16.Type) -> Int16 { note(SimpleSchema.whole, 0) }
  func decode(_ type: Int32.Type) -> Int32 { note(SimpleSchema.whole, 0) }
  func decode(_ type: Int64.Type) -> Int64 { note(SimpleSchema.whole, 0) }
  func decode(_ type: UInt.Type) -> UInt { note(SimpleSchema.count, 0) }
  func decode(_ type: UInt8.Type) -> UInt8 { note(SimpleSchema.count, 0) }
  func decode(_ type: UInt16.Type) -> UInt16 { note(SimpleSchema.count, 0) }
  func decode(_ type: UInt32.Type) -> UInt32 { note(SimpleSchema.count, 0) }
  func decode(_ type: UInt64.Type) -> UInt64 { note(SimpleSchema.count, 0) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let (schema, value) = try decoder.book.describe(type)
    return note(schema, value)
  }
}
