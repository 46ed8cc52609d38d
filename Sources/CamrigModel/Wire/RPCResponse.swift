/// The answer to a request. Thrown where it answers what was no request at all.
package struct RPCResponse: Error, Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case result(JSONValue)
    case failure(RPCError)
  }

  package var id: RPCID
  package var outcome: Outcome

  package init(id: RPCID, _ outcome: Outcome) {
    self.id = id
    self.outcome = outcome
  }

  package var json: JSONValue {
    switch outcome {
    case .result(let value): ["jsonrpc": "2.0", "id": id.json, "result": value]
    case .failure(let error): ["jsonrpc": "2.0", "id": id.json, "error": error.json]
    }
  }

  /// Nil where `json` is no answer.
  package init?(json: JSONValue) {
    guard let id = json["id"].flatMap({ RPCID(json: $0) }) else { return nil }
    if let error = json["error"] {
      guard let error = RPCError(json: error) else { return nil }
      self.init(id: id, .failure(error))
    } else if let result = json["result"] {
      self.init(id: id, .result(result))
    } else {
      return nil
    }
  }
}

/// What the rig says unasked, to those who subscribed.
package struct RPCNotification: Hashable, Sendable {
  package var method: String
  package var params: JSONValue

  package init(method: String, params: JSONValue = [:]) {
    self.method = method
    self.params = params
  }

  package var json: JSONValue { ["jsonrpc": "2.0", "method": .string(method), "params": params] }

  /// Nil where `json` is no notification.
  package init?(json: JSONValue) {
    guard json["id"] == nil, let method = json["method"]?.asString else { return nil }
    self.init(method: method, params: json["params"] ?? [:])
  }
}
