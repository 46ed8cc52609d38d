/// A response on its way out: what of it comes next.
final class ResponseSending {
  enum Filled: Equatable {
    /// So many bytes are to be written; with `last` they complete the response.
    case bytes(Int, last: Bool)
    /// Nothing just now; `wake` will tell.
    case later
    /// What was promised cannot be sent.
    case failed
  }

  private enum Source {
    case none
    /// Not begun yet.
    case file(HTTPFile, Range<Int64>)
    case reading(FileSending)
    case stream(any HTTPBodyStream)
  }

  /// Closes the connection behind it.
  let closes: Bool
  private var pending: [any HTTPPayload]
  /// How much of the first one was taken.
  private var offset = 0
  private var source: Source

  init(_ response: HTTPResponse, to head: HTTPRequestHead?, closes: Bool) {
    var response = response
    var isStream = false
    var length: Int64? = 0
    var body: [any HTTPPayload] = []
    source = .none
    switch response.body {
    case .none: break
    case .bytes(let bytes):
      length = Int64(bytes.count)
      body = [bytes]
    case .file(let file):
      let range = Self.describe(file, &response, head)
      length = Int64(range.count)
      source = .file(file, range)
    case .stream(let stream):
      isStream = true
      length = nil
      source = .stream(stream)
    }
    self.closes = closes || isStream
    let bytes = HTTPResponseHead(response.status, response.headers, length: length, closes: self.closes).bytes
    let hasBody = head?.method != .head && response.status.allowsBody
    pending = [bytes] + (hasBody ? body : [])
    if !hasBody { source = .none }
  }

  var stream: (any HTTPBodyStream)? {
    if case .stream(let stream) = source { stream } else { nil }
  }

  /// What is missing is a file's next piece.
  var isFile: Bool {
    switch source {
    case .file, .reading: true
    case .none, .stream: false
    }
  }

  /// Its pieces do not come at once.
  var isLongFile: Bool {
    if case .file(_, let range) = source { range.count > FileSending.piece } else { false }
  }

  /// The first or next piece of the file is on its way.
  var waitsForVolume: Bool {
    if case .reading(let file) = source { file.isReading } else { false }
  }

  /// Before the first `fill`. `wake` is called on any thread when there is more after `later`.
  func begin(wake: @escaping @Sendable () -> Void) {
    switch source {
    case .file(let file, let range): source = .reading(FileSending(file, range, wake: wake))
    case .stream(let stream): stream.begin(wake: wake)
    case .none, .reading: break
    }
  }

  private static func describe(
    _ file: HTTPFile, _ response: inout HTTPResponse, _ head: HTTPRequestHead?
  ) -> Range<Int64> {
    response.headers.add("etag", file.entityTag)
    response.headers.add("accept-ranges", "bytes")
    guard let head else { return 0..<file.size }
    let answer = HTTPFileAnswer(response.status, head, size: file.size, entityTag: file.entityTag)
    response.status = answer.status
    if let range = answer.contentRange { response.headers.add("content-range", range) }
    if answer.status == 416 || answer.status == 304 { return answer.range }
    response.headers.add("content-type", file.type)
    if let name = file.downloadName { response.headers.add("content-disposition", HTTPFile.disposition(name)) }
    return answer.range
  }

  /// Copies what comes next to the beginning of `buffer`.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Filled {
    var count = 0
    while count < buffer.count {
      if !pending.isEmpty {
        count += takePending(UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
        continue
      }
      switch source {
      case .none: return .bytes(count, last: true)
      case .file: preconditionFailure("a response is begun before it is sent")
      case .reading(let file):
        switch file.next() {
        case .bytes(let bytes): pending = [bytes]
        case .later: return count > 0 ? .bytes(count, last: false) : .later
        case .end: source = .none
        case .failed: return .failed
        }
      case .stream(let stream):
        // What is there goes out before the stream is asked again: the next piece shall be the newest then.
        if count > 0 { return .bytes(count, last: false) }
        switch stream.next() {
        case .bytes(let parts): pending = parts.filter { $0.byteCount > 0 }
        case .later: return .later
        case .end: return .bytes(0, last: true)
        }
        if pending.isEmpty { return .later }
      }
    }
    let isLast =
      if case .none = source { pending.isEmpty } else { false }
    return .bytes(count, last: isLast)
  }

  private func takePending(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    var taken = 0
    pending[0].withBytes { bytes in
      taken = min(buffer.count, bytes.count - offset)
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + taken)]))
    }
    offset += taken
    if offset == pending[0].byteCount {
      pending.removeFirst()
      offset = 0
    }
    return taken
  }
}
