/// What a request gets of a file: all, a part, or only word that it has it already.
struct HTTPFileAnswer: Hashable {
  let status: HTTPStatus
  /// What of the file is sent.
  let range: Range<Int64>
  let contentRange: String?

  /// `status` is what the handler wants to say where nothing speaks against it.
  init(_ status: HTTPStatus, _ head: HTTPRequestHead, size: Int64, entityTag: String) {
    let isReading = (head.method == .get || head.method == .head) && status == 200
    if isReading, head.knows(entityTag) {
      self.init(status: 304, range: 0..<0)
    } else if isReading, head.method == .get, Self.mayBePart(head.headers["if-range"], entityTag) {
      self.init(ByteRange(head.headers["range"], size: size), status, size)
    } else {
      self.init(status: status, range: 0..<size)
    }
  }

  private init(_ range: ByteRange, _ status: HTTPStatus, _ size: Int64) {
    switch range {
    case .whole: self.init(status: status, range: 0..<size)
    case .part(let part):
      self.init(
        status: 206, range: part, contentRange: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
    case .unsatisfiable: self.init(status: 416, range: 0..<0, contentRange: "bytes */\(size)")
    }
  }

  private init(status: HTTPStatus, range: Range<Int64>, contentRange: String? = nil) {
    self.status = status
    self.range = range
    self.contentRange = contentRange
  }

  /// A part fits only what the client has the rest of. We send no dates, so a date fits nothing.
  private static func mayBePart(_ ifRange: String?, _ tag: String) -> Bool { ifRange == nil || ifRange == tag }
}

extension HTTPRequestHead {
  /// The client has what this entity tag stands for (`If-None-Match`, weakly compared as that is).
  package func knows(_ entityTag: String) -> Bool {
    headers.list("if-none-match").contains { $0 == "*" || $0 == entityTag || $0 == "W/" + entityTag }
  }
}
