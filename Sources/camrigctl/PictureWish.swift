import CamrigModel

/// Size, rate and format on a command line.
struct PictureWish {
  var size: PixelSize?
  var rate: FrameRate?
  var format: PixelFormat?

  var isEmpty: Bool { size == nil && rate == nil && format == nil }

  init(_ arguments: Arguments) throws(UsageError) {
    if let text = arguments["--size"] {
      guard let size = PixelSize(text) else { throw UsageError("\"\(text)\" is no size; write it like 1280x720") }
      self.size = size
    }
    if let text = arguments["--rate"] {
      guard let rate = FrameRate(text) else {
        throw UsageError("\"\(text)\" is no rate; write it like 30, 29.97 or 30000/1001")
      }
      self.rate = rate
    }
    if let text = arguments["--format"] {
      guard let format = PixelFormat(rawValue: text.uppercased()) ?? (text.uppercased() == "MJPEG" ? .mjpeg : nil)
      else {
        throw UsageError(
          "\"\(text)\" is no format; it is one of \(PixelFormat.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      self.format = format
    }
  }
}

let pictureOptions = [
  OptionSyntax("--size", value: "WxH", help: "pixels, such as 1280x720"),
  OptionSyntax("--rate", value: "N", help: "frames a second, such as 30, 29.97 or 30000/1001"),
  OptionSyntax("--format", value: "F", help: "MJPG, H264, YUYV, UYVY, NV12, YU12 or GREY"),
]
