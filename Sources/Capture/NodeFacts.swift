import CVideo4Linux

/// What a node answers of itself.
package struct NodeFacts: Hashable, Sendable {
  /// `V4L2_CAP_…` of this node alone, not of the device it belongs to.
  package var deviceCaps: UInt32
  package var driver: String
  package var card: String
  /// `usb-0000:00:14.0-1`, `platform:vivid-000`
  package var busInfo: String
  /// How many formats it offers for capture.
  package var formatCount: Int

  package init(deviceCaps: UInt32, driver: String, card: String, busInfo: String, formatCount: Int) {
    self.deviceCaps = deviceCaps
    self.driver = driver
    self.card = card
    self.busInfo = busInfo
    self.formatCount = formatCount
  }

  package enum Role: Hashable, Sendable {
    case camera
    /// A camera that gives no pictures as it is; why, and what to do.
    case unusable(String)
    /// Metadata, output, codec, image processor, radio, touch pad: nothing to show.
    case noCamera
  }

  /// Image processors that show capture nodes of their own: pictures come out of them only if somebody feeds them.
  private static let processors: Set<String> = [
    "bcm2835-isp", "bcm2835-codec", "pispbe", "rkisp1", "rkisp-vir", "mtk-cam-isp", "ipu3-imgu", "mxc-isi-m2m",
  ]

  package var role: Role {
    func has(_ flags: Int32...) -> Bool { flags.contains { deviceCaps & UInt32(bitPattern: $0) != 0 } }
    guard has(V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_VIDEO_CAPTURE_MPLANE) else { return .noCamera }
    if has(V4L2_CAP_VIDEO_M2M, V4L2_CAP_VIDEO_M2M_MPLANE, V4L2_CAP_TOUCH) { return .noCamera }
    if Self.processors.contains(driver) { return .noCamera }
    // Old codecs say both; so does a loopback that takes and gives pictures.
    let isLoopback = driver == "v4l2 loopback"
    if has(V4L2_CAP_VIDEO_OUTPUT, V4L2_CAP_VIDEO_OUTPUT_MPLANE), !isLoopback { return .noCamera }
    if !has(V4L2_CAP_STREAMING) {
      return .unusable("It offers no streaming, only single reads, and camrig needs streaming.")
    }
    if formatCount == 0 {
      return .unusable(
        isLoopback
          ? "It offers no picture format as long as no program writes pictures into it. Start that program."
          : "It offers no picture format. A sensor on a ribbon cable needs its media pipeline set up first "
            + "(media-ctl); is the sensor's overlay loaded and its cable seated?")
    }
    if !has(V4L2_CAP_VIDEO_CAPTURE) {
      return .unusable("It delivers multi-planar pictures only, which camrig does not record.")
    }
    return .camera
  }
}
