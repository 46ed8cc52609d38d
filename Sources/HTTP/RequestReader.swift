import CWebSockets
import CamrigModel

/// Takes a request's head out of libwebsockets, which forgets it soon.
struct RequestReader {
  /// Why there is no head; said to the client as it stands.
  struct Fault: Error, Hashable {
    let status: HTTPStatus
    let text: String

    var code: RigErrorCode { status == 501 ? .addressMethod : .requestInvalid }
  }

  private let fields: FieldReader

  init(_ wsi: OpaquePointer, more: [String], mostBytes: Int) {
    fields = FieldReader(wsi, more: more, mostBytes: mostBytes)
  }

  func head(peer: HTTPPeer, isSecure: Bool, connection: UInt) throws(Fault) -> HTTPRequestHead {
    guard let (method, path) = try target() else {
      throw Fault(status: 501, text: "This method is not known here.")
    }
    let query = try values(WSI_TOKEN_HTTP_URI_ARGS).map { argument in
      let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(halves[0]), value: halves.count > 1 ? String(halves[1]) : "")
    }
    let headers = try read { () throws(FieldReader.NotUTF8) in try fields.headers() }
    guard headers.all("host").count == 1 else {
      throw Fault(status: 400, text: "A request needs exactly one Host header.")
    }
    return HTTPRequestHead(
      method: method, path: path, query: query.filter { !$0.name.isEmpty || !$0.value.isEmpty }, headers: headers,
      peer: peer, isSecure: isSecure, connection: connection)
  }

  /// The bytes of the body that follows.
  static func bodyLength(_ head: HTTPRequestHead) throws(Fault) -> Int {
    guard head.headers["transfer-encoding"] == nil else {
      throw Fault(status: 411, text: "Bodies of unknown length are not taken here; send a Content-Length.")
    }
    let lengths = head.headers.all("content-length")
    guard let length = lengths.first else {
      guard head.method != .post, head.method != .put, head.method != .patch else {
        throw Fault(status: 411, text: "A \(head.method.rawValue) needs a Content-Length.")
      }
      return 0
    }
    guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy({ (48...57).contains($0) }) else {
      throw Fault(status: 400, text: "The Content-Length is not a number.")
    }
    // Too large for a number is too large for anything.
    return Int(length) ?? Int.max
  }

  private func target() throws(Fault) -> (HTTPMethod, String)? {
    let tokens: [(HTTPMethod, lws_token_indexes)] = [
      (.get, WSI_TOKEN_GET_URI), (.head, WSI_TOKEN_HEAD_URI), (.post, WSI_TOKEN_POST_URI),
      (.put, WSI_TOKEN_PUT_URI), (.patch, WSI_TOKEN_PATCH_URI), (.delete, WSI_TOKEN_DELETE_URI),
      (.options, WSI_TOKEN_OPTIONS_URI),
    ]
    for (method, token) in tokens {
      let parts = try values(token)
      guard let path = parts.first else { continue }
      // libwebsockets splits at & and ; even where there is no query.
      guard parts.count == 1, path.hasPrefix("/") else {
        throw Fault(status: 400, text: "The path is not understood; & and ; must be written as %26 and %3B.")
      }
      return (method, path)
    }
    return nil
  }

  private func values(_ token: lws_token_indexes) throws(Fault) -> [String] {
    try read { () throws(FieldReader.NotUTF8) in try fields.values(token) }
  }

  private func read<T>(_ body: () throws(FieldReader.NotUTF8) -> T) throws(Fault) -> T {
    do throws(FieldReader.NotUTF8) {
      return try body()
    } catch {
      throw Fault(status: 400, text: "The request is not UTF-8.")
    }
  }
}
