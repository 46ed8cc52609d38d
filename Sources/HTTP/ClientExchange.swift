import CWebSockets

/// One request of a client, or one WebSocket. Belongs to the client's thread.
final class ClientExchange {
  struct Request: Sendable {
    let method: HTTPMethod
    let target: String
    let headers: HTTPHeaders
    let body: [UInt8]?
    /// The answer may rest for as long as the server answers this; nil: it may not rest.
    var lifeSign: String?
  }

  enum Kind {
    case answer((Result<HTTPClient.Answer, HTTPClientError>) -> Void)
    /// The outcome is true where the whole answer came, false where no more of it was wanted.
    case stream(any HTTPBodySink, (Result<Bool, HTTPClientError>) -> Void)
    case socket([String], any WebSocketSession, (Result<WebSocket, HTTPClientError>) -> Void)
  }

  let id: UInt
  let request: Request
  let kind: Kind
  /// How much of the body is on its way.
  var sent = 0
  var status = 0
  var headers = HTTPHeaders()
  var body: [UInt8] = []
  var open: OpenSocket?
  /// While libwebsockets has it.
  var wsi: OpaquePointer?
  /// Somebody was told how it ended, or that it is open.
  private(set) var isSettled = false
  /// Something came of an answer that may rest, since that was last looked at.
  var wasHeard = false

  init(id: UInt, request: Request, kind: Kind) {
    self.id = id
    self.request = request
    self.kind = kind
  }

  func fail(_ error: HTTPClientError) {
    guard !isSettled else { return }
    isSettled = true
    switch kind {
    case .answer(let done): done(.failure(error))
    case .stream(_, let done): done(.failure(error))
    case .socket(_, _, let done): done(.failure(error))
    }
  }

  func complete() {
    guard !isSettled else { return }
    switch kind {
    case .answer(let done):
      isSettled = true
      done(.success(HTTPClient.Answer(status: status, headers: headers, body: body)))
    case .stream(_, let done):
      isSettled = true
      done(.success(true))
    case .socket: break
    }
  }

  /// Takes a piece of the answer; false ends the request.
  func take(_ bytes: UnsafeRawBufferPointer, most: Int, authority: String) -> Bool {
    switch kind {
    case .stream(let sink, _): return sink.take(bytes) || stopped()
    case .answer, .socket:
      guard body.count + bytes.count <= most else {
        fail(.tooLarge(authority, bytes: most))
        return false
      }
      body.append(contentsOf: bytes)
      return true
    }
  }

  /// The head of the answer is there; false ends the request.
  func began() -> Bool {
    guard case .stream(let sink, _) = kind else { return true }
    return sink.began(status: status, headers: headers) || stopped()
  }

  private func stopped() -> Bool {
    if !isSettled, case .stream(_, let done) = kind {
      isSettled = true
      done(.success(false))
    }
    return false
  }

  func opened(_ socket: WebSocket) {
    guard !isSettled, case .socket(_, _, let done) = kind else { return }
    isSettled = true
    done(.success(socket))
  }
}
