import CamrigModel

/// JSON Schemas (draft 7) of our own types, read off their `init(from:)`: what the code asks for is what stands in the
/// document. Structures get a name in `components`, the rest stands where it is used.
package final class SchemaBook {
  package private(set) var components: [String: JSONValue] = [:]

  package init() {}

  /// Throws where `type` takes no empty text, no 0, no false: such a type is to be `JSONDescribed`.
  package func schema<T: Decodable>(of type: T.Type) throws -> JSONValue { try describe(type).schema }

  /// The members of a structure, in their order.
  package func members<T: Decodable>(of type: T.Type) throws -> [SchemaMember] {
    let node = SchemaNode()
    _ = try T(from: SchemaDecoder(book: self, node: node, codingPath: []))
    return node.members
  }

  /// The schema, and a value to go on with.
  func describe<T: Decodable>(_ type: T.Type) throws -> (schema: JSONValue, value: T) {
    if let described = type as? any JSONDescribed.Type {
      return (described.jsonSchema, try described.jsonExample.decode(T.self))
    }
    if let words = type as? any (CaseIterable & RawRepresentable).Type, let (schema, first) = Self.words(words),
      let value = first as? T
    {
      return (schema, value)
    }
    if let collection = type as? any SchemaCollection.Type, let value = collection.none as? T {
      return (try collection.schema(self), value)
    }
    let node = SchemaNode()
    let value = try T(from: SchemaDecoder(book: self, node: node, codingPath: []))
    if let simple = node.simple { return (simple, value) }
    let name = String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    components[name] = Self.object(node.members)
    return (["$ref": .string("#/components/schemas/\(name)")], value)
  }

  private static func object(_ members: [SchemaMember]) -> JSONValue {
    var schema: [String: JSONValue] = [
      "type": "object",
      "properties": .object(Dictionary(members.map { ($0.name, $0.schema) }) { _, last in last }),
    ]
    let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    return .object(schema)
  }

  private static func words<E: CaseIterable & RawRepresentable>(_ type: E.Type) -> (JSONValue, E)? {
    let words = type.allCases.compactMap { $0.rawValue as? String }
    guard let first = type.allCases.first, words.count == type.allCases.count else { return nil }
    return (["type": "string", "enum": .array(words.map { .string($0) })], first)
  }
}

package struct SchemaMember {
  package let name: String
  package var isRequired: Bool
  package var schema: JSONValue
}

/// What a decoder has been asked for.
final class SchemaNode {
  var members: [SchemaMember] = []
  var simple: JSONValue?

  /// Asked by `decodeIfPresent`.
  private var optional: Set<String> = []

  func mayBeAbsent(_ name: String) { optional.insert(name) }

  func note(_ name: String, _ schema: JSONValue) {
    members.removeAll { $0.name == name }
    members.append(SchemaMember(name: name, isRequired: !optional.contains(name), schema: schema))
  }
}

/// Arrays and maps.
protocol SchemaCollection {
  static func schema(_ book: SchemaBook) throws -> JSONValue
  static var none: Self { get }
}

extension Array: SchemaCollection where Element: Decodable {
  static func schema(_ book: SchemaBook) throws -> JSONValue {
    ["type": "array", "items": try book.schema(of: Element.self)]
  }
  static var none: [Element] { [] }
}

extension Dictionary: SchemaCollection where Key: Decodable, Value: Decodable {
  static func schema(_ book: SchemaBook) throws -> JSONValue {
    ["type": "object", "additionalProperties": try book.schema(of: Value.self)]
  }
  static var none: [Key: Value] { [:] }
}
