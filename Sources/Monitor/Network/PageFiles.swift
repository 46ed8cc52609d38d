import CWebPage
import CamrigModel
import HTTP

/// The web page's files, out of the program itself.
enum PageFiles {
  struct File: Sendable {
    let bytes: [UInt8]
    let type: String
    let entityTag: String
  }

  /// By name; `index.html` is the page.
  static let all: [String: File] = {
    var files: [String: File] = [:]
    var count: Int32 = 0
    for file in UnsafeBufferPointer(start: cwp_files(&count), count: Int(count)) {
      let name = String(cString: file.name)
      let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.end - file.bytes))
      files[name] = File(bytes: bytes, type: type(of: name), entityTag: tag(bytes))
    }
    return files
  }()

  static func response(_ name: String, to request: HTTPRequestHead) -> HTTPResponse {
    guard let file = all[name] else { return .notFound }
    let headers: HTTPHeaders = ["etag": file.entityTag, "cache-control": "no-cache"]
    if request.knows(file.entityTag) { return HTTPResponse(304, headers: headers) }
    return HTTPResponse(200, type: file.type, file.bytes, headers: headers)
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "json", "webmanifest": "application/json"
    default: "application/octet-stream"
    }
  }

  /// FNV-1a: what changes with every change of a file that we wrote ourselves.
  private static func tag(_ bytes: [UInt8]) -> String {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\"\(String(hash, radix: 16))\""
  }
}
