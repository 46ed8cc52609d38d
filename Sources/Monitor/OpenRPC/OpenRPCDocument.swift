import CamrigModel

/// All methods and events, for programs and generators of clients (OpenRPC 1.2.6), made of the contracts.
package enum OpenRPCDocument {
  package static let protocolVersion = 1

  /// Made once.
  package static let json: Result<JSONValue, any Error> = Result { try make() }
  /// As it is served: it is long, and the server's thread has others to serve.
  package static let bytes: Result<[UInt8], any Error> = json.map(\.bytes)

  /// What every method may answer.
  package static let commonErrors: [RigErrorCode] = [
    .requestUnreadable, .requestInvalid, .methodUnknown, .paramsInvalid, .internalError, .requestTooLarge,
    .answerTooLarge, .timedOut, .stopping,
  ]

  package static func make() throws -> JSONValue {
    let book = SchemaBook()
    let methods =
      try RigMethod.allCases.map { method -> JSONValue in
        let more: [String: JSONValue] = method.subscribes ? ["x-subscription": true] : [:]
        return try entry(method.rawValue, method.leastRole, method.contract, more, book)
      }
      + MediaMethod.allCases.map { try entry($0.rawValue, $0.leastRole, $0.contract, onMedia, book) }
    let events =
      try RigEventName.allCases.map { try entry($0.rawValue, $0.contract, [:], book) }
      + MediaEventName.allCases.map { try entry($0.rawValue, $0.contract, onMedia, book) }
    let errors = RigErrorCode.allCases.map { code -> (String, JSONValue) in
      (
        code.rawValue,
        [
          "code": .integer(Int64(code.number)), "message": .string(code.rawValue),
          "data": ["reason": .string(code.rawValue)],
        ]
      )
    }
    return [
      "openrpc": "1.2.6",
      "info": [
        "title": "camrig", "version": .string("\(protocolVersion)"), "license": ["name": "Apache-2.0"],
        "description": """
        How programs operate a camrig recording rig: on the Unix socket /run/camrig/control.sock, on the WebSocket \
        /monitor, and by POST /rpc. x-least-role is the least that a monitor must be paired as; x-subscription marks \
        methods whose answer is followed by notifications (x-notifications). Methods and notifications with servers \
        are those of the WebSocket /monitor/media alone, the others are not known there. error.data.reason says what error.code \
        says; error.message is for people.
        """,
      ],
      "methods": .array(methods),
      "components": [
        "schemas": .object(book.components), "errors": .object(Dictionary(errors) { _, last in last }),
      ],
      "x-notifications": .array(events),
    ]
  }

  /// Of what is known on the media socket alone.
  private static let onMedia: [String: JSONValue] = ["servers": [["name": "media", "url": "/monitor/media"]]]

  private static func entry(
    _ name: String, _ least: AccessRole, _ contract: MethodContract, _ more: [String: JSONValue], _ book: SchemaBook
  ) throws -> JSONValue {
    let example = try contract.example()
    let params = try contract.params(book).map { member -> JSONValue in
      var schema = member.schema.asObject ?? [:]
      if let value = example[member.name] { schema["examples"] = [value] }
      return [
        "name": .string(member.name), "required": .bool(member.isRequired), "schema": .object(schema),
      ]
    }
    let roles: [RigErrorCode] = least == .viewer ? [] : [.roleForbidden]
    let errors = commonErrors + roles + contract.errors
    let members: [String: JSONValue] = [
      "name": .string(name), "summary": .string(contract.summary), "paramStructure": "by-name",
      "params": .array(params), "result": ["name": "result", "schema": try contract.result(book)],
      "errors": .array(errors.map { ["$ref": .string("#/components/errors/\($0.rawValue)")] }),
      "x-least-role": .string(least.rawValue),
    ]
    return .object(members.merging(more) { $1 })
  }

  private static func entry(
    _ name: String, _ contract: EventContract, _ more: [String: JSONValue], _ book: SchemaBook
  ) throws -> JSONValue {
    let members: [String: JSONValue] = [
      "name": .string(name), "summary": .string(contract.summary), "params": try contract.params(book),
    ]
    return .object(members.merging(more) { $1 })
  }
}
