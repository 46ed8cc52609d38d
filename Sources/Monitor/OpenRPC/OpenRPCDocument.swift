import CamrigModel

/// All methods and events, for programs and generators of clients (OpenRPC 1.2.6), made of the contracts.
package enum OpenRPCDocument {
  package static let protocolVersion = 1

  /// Made once.
  package static let json: Result<JSONValue, any Error> = Result { try make() }

  /// What every method may answer.
  package static let commonErrors: [RigErrorCode] = [
    .requestUnreadable, .requestInvalid, .methodUnknown, .paramsInvalid, .internalError, .requestTooLarge,
    .answerTooLarge, .timedOut, .stopping,
  ]

  package static func make() throws -> JSONValue {
    let book = SchemaBook()
    let methods = try RigMethod.allCases.map { try entry($0, book) }
    let events = try RigEventName.allCases.map { event -> JSONValue in
      [
        "name": .string(event.rawValue), "summary": .string(event.contract.summary),
        "params": try event.contract.params(book),
      ]
    }
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
        methods whose answer is followed by notifications (x-notifications). error.data.reason says what error.code \
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

  private static func entry(_ method: RigMethod, _ book: SchemaBook) throws -> JSONValue {
    let contract = method.contract
    let example = try contract.example()
    let params = try contract.params(book).map { member -> JSONValue in
      var schema = member.schema.asObject ?? [:]
      if let value = example[member.name] { schema["examples"] = [value] }
      return [
        "name": .string(member.name), "required": .bool(member.isRequired), "schema": .object(schema),
      ]
    }
    let roles: [RigErrorCode] = method.leastRole == .viewer ? [] : [.roleForbidden]
    let errors = commonErrors + roles + contract.errors
    var members: [String: JSONValue] = [
      "name": .string(method.rawValue), "summary": .string(contract.summary), "paramStructure": "by-name",
      "params": .array(params), "result": ["name": "result", "schema": try contract.result(book)],
      "errors": .array(errors.map { ["$ref": .string("#/components/errors/\($0.rawValue)")] }),
      "x-least-role": .string(method.leastRole.rawValue),
    ]
    if method.subscribes { members["x-subscription"] = true }
    return .object(members)
  }
}
