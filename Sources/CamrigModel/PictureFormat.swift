/// Width and height in pixels. In JSON and on command lines `1920x1080`.
package struct PixelSize: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Nil unless `text` is like `1280x720`, both between 1 and 65535.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = UInt16(parts[0]), let height = UInt16(parts[1]), width > 0, height > 0
    else { return nil }
    self.init(width: Int(width), height: Int(height))
  }

  package var area: Int { width &* height }
  package var description: String { "\(width)x\(height)" }

  /// By area, then by width.
  package static func < (a: PixelSize, b: PixelSize) -> Bool { (a.area, a.width) < (b.area, b.width) }
}

/// Frames a second as an exact fraction. In JSON and on command lines `30`, `29.97` or `30000/1001`.
package struct FrameRate: Sendable, CustomStringConvertible {
  package let numerator: Int
  package let denominator: Int

  /// `denominator` frames' time is `numerator` seconds' worth: 30000/1001 is 29.97 frames a second. Both above 0.
  package init(_ numerator: Int, _ denominator: Int = 1) {
    precondition(numerator > 0 && denominator > 0, "a frame rate is a positive fraction")
    var a = numerator
    var b = denominator
    while b != 0 { (a, b) = (b, a % b) }
    self.numerator = numerator / a
    self.denominator = denominator / a
  }

  /// Nil unless `text` is `30`, `7.5`, `29.97` (read as 2997/100) or `30000/1001`, above 0 and at most 1000.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let n = Int(parts[0]), let d = Int(parts[1]), n > 0, d > 0, n < 1 << 31, d < 1 << 31, n <= 1000 * d
      else { return nil }
      self.init(n, d)
      return
    }
    let decimal = text.split(separator: ".", omittingEmptySubsequences: false)
    guard decimal.count == 1 || decimal.count == 2, let whole = Int(decimal[0]), whole >= 0, whole <= 1000
    else { return nil }
    var scale = 1
    var fraction = 0
    if decimal.count == 2 {
      guard (1...4).contains(decimal[1].count), let value = Int(decimal[1]), value >= 0 else { return nil }
      for _ in decimal[1] { scale *= 10 }
      fraction = value
    }
    guard whole * scale + fraction > 0, whole * scale + fraction <= 1000 * scale else { return nil }
    self.init(whole * scale + fraction, scale)
  }

  package var perSecond: Double { Double(numerator) / Double(denominator) }
  package var frameTime: Duration { .nanoseconds(Int64(denominator) * 1_000_000_000 / Int64(numerator)) }

  package var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}

extension FrameRate: Hashable, Comparable {
  package static func < (a: FrameRate, b: FrameRate) -> Bool {
    // In full width: a driver may name any 32-bit fraction.
    a.numerator.multipliedFullWidth(by: b.denominator) < b.numerator.multipliedFullWidth(by: a.denominator)
  }
}

/// The forms of a picture that camrig can record. The raw value is V4L2's FourCC as text, used in JSON and on
/// command lines.
package enum PixelFormat: String, Codable, CaseIterable, Sendable {
  case mjpeg = "MJPG"
  case h264 = "H264"
  case yuyv = "YUYV"
  case uyvy = "UYVY"
  case nv12 = "NV12"
  case yu12 = "YU12"
  case grey = "GREY"

  package var isCompressed: Bool {
    switch self {
    case .mjpeg, .h264: true
    case .yuyv, .uyvy, .nv12, .yu12, .grey: false
    }
  }

  /// Bytes of one picture whose lines are `bytesPerLine` long (of the first plane); 0 for compressed formats.
  package func rawByteCount(size: PixelSize, bytesPerLine: Int) -> Int {
    switch self {
    case .mjpeg, .h264: 0
    case .yuyv, .uyvy, .grey: bytesPerLine * size.height
    case .nv12, .yu12: bytesPerLine * size.height + bytesPerLine * ((size.height + 1) / 2)
    }
  }

  /// The least length of a line of the first plane, in bytes; 0 for compressed formats.
  package func leastBytesPerLine(width: Int) -> Int {
    switch self {
    case .mjpeg, .h264: 0
    case .yuyv, .uyvy: width * 2
    case .nv12, .yu12, .grey: width
    }
  }
}

/// What a camera delivers: as wished, or as granted by the driver.
package struct VideoFormat: Hashable, Codable, Sendable, CustomStringConvertible {
  package let pixelFormat: PixelFormat
  package let size: PixelSize
  /// Nil where the driver tells no rate.
  package let rate: FrameRate?
  /// Length of a line of the first plane in bytes; 0 for compressed formats.
  package let bytesPerLine: Int

  package init(_ pixelFormat: PixelFormat, _ size: PixelSize, rate: FrameRate?, bytesPerLine: Int? = nil) {
    self.pixelFormat = pixelFormat
    self.size = size
    self.rate = rate
    self.bytesPerLine = bytesPerLine ?? pixelFormat.leastBytesPerLine(width: size.width)
  }

  package var description: String {
    "\(pixelFormat.rawValue) \(size)" + (rate.map { " at \($0)" } ?? "")
  }
}

extension PixelSize: Codable {
  package init(from decoder: any Decoder) throws {
    self = try decodeText(decoder, "size such as 1280x720") { PixelSize($0) }
  }
  package func encode(to encoder: any Encoder) throws { try encodeText(description, encoder) }
}

extension FrameRate: Codable {
  package init(from decoder: any Decoder) throws {
    self = try decodeText(decoder, "frame rate such as 30 or 30000/1001") { FrameRate($0) }
  }
  package func encode(to encoder: any Encoder) throws { try encodeText(description, encoder) }
}

func decodeText<T>(_ decoder: any Decoder, _ what: String, _ read: (String) -> T?) throws -> T {
  let container = try decoder.singleValueContainer()
  let text = try container.decode(String.self)
  guard let value = read(text) else {
    throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no \(what)")
  }
  return value
}

func encodeText(_ text: String, _ encoder: any Encoder) throws {
  var container = encoder.singleValueContainer()
  try container.encode(text)
}
