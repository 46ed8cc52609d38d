/// What ties an answer to its request. The answer repeats it as it came.
package enum RPCID: Hashable, Sendable {
  case number(Int64)
  case text(String)
  /// A request with `"id":null`, or the answer to one whose ID could not be read.
  case null

  package var json: JSONValue {
    switch self {
    case .number(let value): .integer(value)
    case .text(let value): .string(value)
    case .null: .null
    }
  }

  package init?(json: JSONValue) {
    switch json {
    case .integer(let value): self = .number(value)
    case .string(let value): self = .text(value)
    case .null: self = .null
    case .bool, .number, .array, .object: return nil
    }
  }
}

/// A wish of a monitor (JSON-RPC 2.0). Without an ID it is carried out, but never answered.
package struct RPCRequest: Hashable, Sendable {
  package var id: RPCID?
  /// `noun.verb`
  package var method: String
  /// Always an object; empty where the request has none.
  package var params: JSONValue

  package init(id: RPCID?, method: String, params: JSONValue = [:]) {
    self.id = id
    self.method = method
    self.params = params
  }

  package var json: JSONValue {
    var members: [String: JSONValue] = ["jsonrpc": "2.0", "method": .string(method), "params": params]
    members["id"] = id?.json
    return .object(members)
  }

  /// Reads one message. Throws the answer to what is no request; it carries the ID wherever one could be read.
  package static func read(_ text: some Sequence<UInt8>) throws(RPCResponse) -> RPCRequest {
    let json: JSONValue
    do {
      json = try JSONValue(json: text)
    } catch {
      throw RPCResponse(id: .null, .failure(RPCError(.requestUnreadable, error.description)))
    }
    guard let members = json.asObject else {
      let batch = json.asArray != nil
      throw invalid(.null, batch ? "batches are not taken: send one request a line" : "a request is an object")
    }
    // A wrong ID must not keep the answer from saying so.
    let id = members["id"].map { RPCID(json: $0) }
    guard id != .some(nil) else { throw invalid(.null, "id must be a whole number or a text") }
    let answerID = id.flatMap { $0 } ?? .null
    guard members["jsonrpc"] == "2.0" else { throw invalid(answerID, "\"jsonrpc\":\"2.0\" is missing") }
    guard let method = members["method"]?.asString, !method.isEmpty else {
      throw invalid(answerID, "method must be a text such as camera.list")
    }
    let params = members["params"] ?? [:]
    guard params.asObject != nil else {
      throw RPCResponse(
        id: answerID, .failure(RPCError(.paramsInvalid, "params must be an object with named parameters")))
    }
    return RPCRequest(id: id.flatMap { $0 }, method: method, params: params)
  }

  /// The parameters as `type`; unknown members are ignored.
  package func parameters<T: Decodable>(_ type: T.Type) throws(RPCError) -> T {
    do {
      return try params.decode(type)
    } catch {
      throw RPCError.parameters(error, of: method)
    }
  }

  private static func invalid(_ id: RPCID, _ message: String) -> RPCResponse {
    RPCResponse(id: id, .failure(RPCError(.requestInvalid, message)))
  }
}
