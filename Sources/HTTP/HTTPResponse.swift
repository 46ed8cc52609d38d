import CamrigModel

/// The answer to a request. `Content-Length`, `Connection` and the security headers are the server's to add.
package struct HTTPResponse: Sendable {
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// Sent in pieces, never read whole; ranges and conditions of the request are the server's work.
    case file(HTTPFile)
    /// Open-ended; the connection closes behind it.
    case stream(any HTTPBodyStream)
  }

  package var status: HTTPStatus
  package var headers: HTTPHeaders
  package var body: Body

  package init(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: Body = .none) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package init(_ status: HTTPStatus, type: String, _ bytes: [UInt8], headers: HTTPHeaders = [:]) {
    self.init(status, headers: headers, body: .bytes(bytes))
    self.headers.add("content-type", type)
  }

  /// Plain text, with a line end added.
  package static func text(_ status: HTTPStatus, _ text: String, headers: HTTPHeaders = [:]) -> HTTPResponse {
    HTTPResponse(status, type: "text/plain; charset=utf-8", Array(text.utf8) + [0x0A], headers: headers)
  }

  /// A refusal: its code for programs, its sentence for people; with a line end added.
  package static func problem(
    _ status: HTTPStatus, _ code: RigErrorCode, _ text: String, headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    let body: JSONValue = ["code": .string(code.rawValue), "error": .string(text)]
    var response = HTTPResponse(status, type: "application/json", body.bytes + [0x0A], headers: headers)
    response.headers.add("cache-control", "no-store")
    return response
  }

  package static func file(_ file: HTTPFile, headers: HTTPHeaders = [:]) -> HTTPResponse {
    HTTPResponse(200, headers: headers, body: .file(file))
  }

  package static func stream(type: String, _ stream: any HTTPBodyStream, headers: HTTPHeaders = [:]) -> HTTPResponse {
    var response = HTTPResponse(200, headers: headers, body: .stream(stream))
    response.headers.add("content-type", type)
    response.headers.add("cache-control", "no-store")
    response.headers.add("x-accel-buffering", "no")
    return response
  }

  package static let notFound = problem(404, .addressUnknown, "There is nothing here.")

  /// 405 with what is allowed instead.
  package static func methodNotAllowed(_ allowed: [HTTPMethod]) -> HTTPResponse {
    let names = allowed.map(\.rawValue).joined(separator: ", ")
    return problem(405, .addressMethod, "This address takes \(names) only.", headers: ["allow": names])
  }
}
