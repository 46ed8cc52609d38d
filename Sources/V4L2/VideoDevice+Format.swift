import CVideo4Linux
import CamrigModel

extension VideoDevice {
  /// Sets format, size and rate, and gives what the driver made of them: with these one has to work.
  package func configure(_ wish: FormatWish) throws(V4L2Error) -> VideoFormat {
    _ = try requireCamera()
    signal = try followSignal()
    var format = v4l2_format()
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    try check(cv4l2_g_fmt(fd, &format), "G_FMT")
    if let pixelFormat = wish.pixelFormat { format.fmt.pix.pixelformat = FourCC(pixelFormat).rawValue }
    if let size = wish.size {
      format.fmt.pix.width = UInt32(truncatingIfNeeded: size.width)
      format.fmt.pix.height = UInt32(truncatingIfNeeded: size.height)
    }
    format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    // The driver computes both; what G_FMT said belongs to another size.
    format.fmt.pix.bytesperline = 0
    format.fmt.pix.sizeimage = 0
    try check(cv4l2_s_fmt(fd, &format), "S_FMT")

    let granted = format.fmt.pix
    let fourcc = FourCC(granted.pixelformat)
    guard let pixelFormat = fourcc.pixelFormat else {
      throw .noUsableFormat(path: path, fourcc: fourcc.description)
    }
    guard granted.field != V4L2_FIELD_ALTERNATE.rawValue else {
      // Two half pictures share one sequence number: neither the pictures nor the account would be whole.
      throw .noUsableFormat(path: path, fourcc: "\(fourcc) in single fields")
    }
    let size = PixelSize(width: Int(granted.width), height: Int(granted.height))
    guard (1...65535).contains(size.width), (1...65535).contains(size.height) else {
      throw .noUsableFormat(path: path, fourcc: "\(fourcc) \(size)")
    }
    // Lines shorter than their pixels are a driver's mistake; then they follow one another without a gap.
    let least = pixelFormat.leastBytesPerLine(width: size.width)
    let told = Int(granted.bytesperline)
    return VideoFormat(
      pixelFormat, size, rate: setRate(wish.rate),
      bytesPerLine: pixelFormat.isCompressed ? 0 : (told >= least && told <= 1 << 20) ? told : least)
  }

  /// The rate that is really set; nil where the driver knows none.
  private func setRate(_ rate: FrameRate?) -> FrameRate? {
    var parameters = v4l2_streamparm()
    parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    guard cv4l2_g_parm(fd, &parameters) == 0 else { return nil }
    let canSet = parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
    if canSet, let rate {
      var wished = parameters
      wished.parm.capture.timeperframe.numerator = UInt32(truncatingIfNeeded: rate.denominator)
      wished.parm.capture.timeperframe.denominator = UInt32(truncatingIfNeeded: rate.numerator)
      // A driver that refuses keeps the rate it has, which G_PARM told.
      if cv4l2_s_parm(fd, &wished) == 0 { parameters = wished }
    }
    return FrameRate(interval: parameters.parm.capture.timeperframe)
  }

  /// Asks an H.264 camera for a keyframe now. False: it has no such control.
  package func requestKeyframe() -> Bool {
    var control = v4l2_control()
    control.id = UInt32(V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME)
    control.value = 1
    return cv4l2_s_ctrl(fd, &control) == 0
  }
}
