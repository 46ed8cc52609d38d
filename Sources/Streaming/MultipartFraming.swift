import CamrigModel

/// A preview as `multipart/x-mixed-replace`, which browsers show in an `<img>` and tools read as "MJPEG over HTTP".
///
/// The delimiter of the next picture follows a picture at once: browsers show one only when they have seen where it
/// ends, and would show each a picture late otherwise.
package enum MultipartFraming {
  /// Most readers go by `Content-Length`; the others find this in no picture.
  package static let boundary = "camrigpicture"
  package static let contentType = "multipart/x-mixed-replace;boundary=\(boundary)"

  /// Before the first picture.
  package static let opening = Array("--\(boundary)\r\n".utf8)
  /// After each picture.
  package static let closing = Array("\r\n--\(boundary)\r\n".utf8)

  /// In the place of a picture.
  package static func text(_ text: String) -> [UInt8] {
    Array("Content-Type: text/plain; charset=utf-8\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8) + closing
  }

  /// Before each picture. `X-Timestamp` is the picture's time on the rig's clock in seconds, as other servers give it.
  package static func header(byteCount: Int, presentationTime: MediaTime) -> [UInt8] {
    let microseconds = presentationTime.nanoseconds / 1000
    let fraction = String(abs(microseconds % 1_000_000))
    let digits = String(repeating: "0", count: 6 - fraction.count) + fraction
    return Array(
      "Content-Type: image/jpeg\r\nContent-Length: \(byteCount)\r\nX-Timestamp: \(microseconds / 1_000_000).\(digits)\r\n\r\n"
        .utf8)
  }
}
