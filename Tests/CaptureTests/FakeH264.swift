import CamrigModel

/// H.264 of 64x48, made by x264.
enum FakeH264 {
  static let size = PixelSize(width: 64, height: 48)
  static let sequenceParameters: [UInt8] = [
    0x67, 0x42, 0xc0, 0x0a, 0xda, 0x11, 0xec, 0x04, 0x40, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00, 0x00, 0x0f, 0x03, 0xc4,
    0x89, 0xa8,
  ]
  static let pictureParameters: [UInt8] = [0x68, 0xce, 0x0f, 0xc8]
  static let sets: [UInt8] = start + sequenceParameters + start + pictureParameters
  /// A keyframe without its parameter sets.
  static let refresh: [UInt8] = [
    0, 0, 1, 0x65, 0x88, 0x84, 0x3a, 0x26, 0x28, 0x00, 0x90, 0x2c, 0x9c, 0x9c, 0x9c, 0x9d, 0x75, 0xd7, 0x5d, 0x75, 0xd7,
    0x5e,
  ]
  static let keyframe = sets + refresh
  /// A picture that needs those before it.
  static let next: [UInt8] = start + [0x41, 0x9a, 0x20, 0x3e, 0x86, 0xc0]

  private static let start: [UInt8] = [0, 0, 0, 1]

  static func format(_ rates: Int...) -> FormatDescription {
    FormatDescription(
      fourcc: "H264", label: "H.264", pixelFormat: .h264,
      sizes: [SizeDescription(size: size, rates: rates.map { FrameRate($0) })])
  }
}
