import CamrigModel

/// What pictures could not be made or coded, and why.
package enum CodecError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The least and the evenness that a test pattern needs.
  case testPatternSize(PixelSize)
  case testPatternFormat(PixelFormat)
  /// Only raw pictures are encoded.
  case notRaw(PixelFormat)
  case encoderSize(PixelSize)
  /// Neither hardware nor libx264; with what each said.
  case noEncoder(String)
  /// A picture with other properties than the encoder was made for.
  case otherFormat(found: String, expected: String)
  case shortPicture(byteCount: Int, expected: Int)
  case timeRunsBackwards
  case encoding(encoder: String, reason: String)
  case decoding(reason: String)
  case jpeg(String)
  case soundFormat(rate: Int, channels: Int)
  case outOfMemory

  package var description: String {
    switch self {
    case .testPatternSize(let size):
      "a test pattern cannot be \(size). Choose even numbers from \(TestPattern.leastSize) to "
        + "\(TestPattern.greatestSize)."
    case .testPatternFormat(let format):
      "a test pattern cannot be \(format.rawValue). Choose MJPG, YUYV, UYVY, NV12, YU12 or GREY."
    case .notRaw(let format): "\(format.rawValue) is compressed already and is recorded as it is."
    case .encoderSize(let size): "pictures of \(size) cannot be encoded as H.264. Choose a size with even numbers."
    case .noEncoder(let said):
      "no H.264 encoder works here (\(said)). Install libavcodec with libx264, or choose MJPG for this camera."
    case .otherFormat(let found, let expected): "the picture is \(found), but the encoder was set to \(expected)."
    case .shortPicture(let count, let expected): "the picture has \(count) bytes, not the \(expected) of its size."
    case .timeRunsBackwards: "the picture is not later than the one before it."
    case .encoding(let encoder, let reason): "the encoder \(encoder) failed: \(reason)"
    case .decoding(let reason): "the camera's H.264 could not be decoded: \(reason)"
    case .jpeg(let reason): "libturbojpeg failed: \(reason)"
    case .soundFormat(let rate, let channels):
      "sound of \(rate) Hz with \(channels) channels cannot be converted. Choose another rate for the microphone."
    case .outOfMemory: "there is no memory for a picture."
    }
  }
}
