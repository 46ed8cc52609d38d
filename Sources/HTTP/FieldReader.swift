import CWebSockets

/// Takes header fields out of libwebsockets.
struct FieldReader {
  struct NotUTF8: Error {}

  private let wsi: OpaquePointer
  /// Headers that libwebsockets has no number for, in small letters with their colon.
  private let more: [String]
  private let most: Int

  init(_ wsi: OpaquePointer, more: [String], mostBytes: Int) {
    self.wsi = wsi
    self.more = more
    most = mostBytes
  }

  func headers() throws(NotUTF8) -> HTTPHeaders {
    var headers = HTTPHeaders()
    var index: Int32 = 0
    while let name = cws_header_name(index) {
      if name.pointee != 0 {
        for value in try values(cws_token(index)) { headers.add(String(String(cString: name).dropLast()), value) }
      }
      index += 1
    }
    for name in more {
      let value = try text { cws_custom_value(wsi, name, $0, $1) }
      if let value { headers.add(String(name.dropLast()), value) }
    }
    return headers
  }

  func values(_ token: lws_token_indexes) throws(NotUTF8) -> [String] {
    var values: [String] = []
    while let value = try text({ cws_value(wsi, token, Int32(values.count), $0, $1) }) { values.append(value) }
    return values
  }

  private func text(_ read: (UnsafeMutablePointer<CChar>, Int32) -> Int32) throws(NotUTF8) -> String? {
    let text: String?? = withUnsafeTemporaryAllocation(of: CChar.self, capacity: most + 1) { buffer in
      let count = read(buffer.baseAddress!, Int32(buffer.count))
      guard count >= 0 else { return .some(nil) }
      let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<Int(count)])
      return String(validating: bytes, as: UTF8.self).map { .some($0) } ?? .none
    }
    guard let text else { throw NotUTF8() }
    return text
  }
}
