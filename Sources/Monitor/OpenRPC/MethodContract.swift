import CamrigModel

/// What a method takes and gives, by the very types that carry it.
package struct MethodContract {
  /// One line for people.
  package let summary: String
  /// What it may answer beside what every method may.
  package let errors: [RigErrorCode]
  package let params: (SchemaBook) throws -> [SchemaMember]
  package let result: (SchemaBook) throws -> JSONValue
  /// Parameters as they could be.
  package let example: () throws -> JSONValue
  /// Reads the parameters as the dispatcher does. Throws what it would answer.
  package let read: (RPCRequest) throws -> Void
  /// A result, read and written once more.
  package let sameResult: (JSONValue) throws -> JSONValue

  /// - Parameters:
  ///   - example: parameters that make sense.
  ///   - result: the type of the answer; `NoResult` for `{}`.
  package init<P: Codable, R: Codable>(
    _ summary: String, _ example: P, _ result: R.Type, _ errors: [RigErrorCode] = []
  ) {
    self.summary = summary
    self.errors = errors
    params = { try $0.members(of: P.self) }
    self.result = { try $0.schema(of: R.self) }
    self.example = { try JSONValue(encoding: example) }
    read = { _ = try $0.parameters(P.self) }
    sameResult = { try JSONValue(encoding: $0.decode(R.self)) }
  }

  /// A method without parameters.
  package init<R: Codable>(_ summary: String, _ result: R.Type, _ errors: [RigErrorCode] = []) {
    self.init(summary, NoParameters(), result, errors)
  }
}

package struct NoParameters: Codable, Sendable {
  package init() {}
}

/// `{}`
package struct NoResult: Codable, Sendable {
  package init() {}
}

/// The payload of an event.
package struct EventContract {
  package let summary: String
  package let params: (SchemaBook) throws -> JSONValue
  package let sameParams: (JSONValue) throws -> JSONValue

  package init<P: Codable>(_ summary: String, _ params: P.Type) {
    self.summary = summary
    self.params = { try $0.schema(of: P.self) }
    sameParams = { try JSONValue(encoding: $0.decode(P.self)) }
  }
}
