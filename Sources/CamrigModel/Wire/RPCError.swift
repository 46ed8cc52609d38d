/// The error of an answer (JSON-RPC 2.0): a number and a reason for programs, a sentence for people.
package struct RPCError: Error, Hashable, Sendable, CustomStringConvertible {
  package var number: Int
  /// A `RigErrorCode`, or what a newer or foreign rig says.
  package var reason: String
  package var message: String
  /// Further members of `data`, such as `camera`; `reason` is not among them.
  package var details: [String: JSONValue]

  package init(_ code: RigErrorCode, _ message: String, details: [String: JSONValue] = [:]) {
    number = code.number
    reason = code.rawValue
    self.message = message
    self.details = details
  }

  package var code: RigErrorCode? { RigErrorCode(rawValue: reason) }
  package var description: String { message }

  package var json: JSONValue {
    var data = details
    data["reason"] = .string(reason)
    return ["code": .integer(Int64(number)), "message": .string(message), "data": .object(data)]
  }

  /// Nil where `json` has no code and message.
  package init?(json: JSONValue) {
    guard let code = json["code"]?.asInteger, let number = Int(exactly: code),
      let message = json["message"]?.asString
    else { return nil }
    self.number = number
    self.message = message
    details = json["data"]?.asObject ?? [:]
    reason = details.removeValue(forKey: "reason")?.asString ?? ""
  }
}

extension RPCError {
  /// What a `DecodingError` says of a request's parameters, in words.
  package static func parameters(_ error: any Error, of method: String) -> RPCError {
    func place(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "params" : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
    let fault: String
    switch error as? DecodingError {
    case .keyNotFound(let key, let context): fault = "\(place(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): fault = "\(place(context.codingPath)) may not be null"
    case .typeMismatch(let type, let context):
      fault = "\(place(context.codingPath)) must be \(name(type))"
    // The text is our own and well-formed: all that FoundationEssentials can mean is a number.
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      fault = "a number has a fraction, or is too large, where a whole number is meant"
    case .dataCorrupted(let context): fault = "\(place(context.codingPath)): \(context.debugDescription)"
    case nil: fault = "\(error)"
    @unknown default: fault = "\(error)"
    }
    return RPCError(.paramsInvalid, "\(method): \(fault)")
  }

  private static func name(_ type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [Any].Type: "an array"
    case is [String: Any].Type: "an object"
    default: "of another type"
    }
  }
}
