import CLinux
import CVideo4Linux
import CamrigModel
import Glibc

/// One open `/dev/videoN`. Used by one thread at a time. Closing is idempotent and happens at the latest with the
/// last reference: a handle that stays open keeps an unplugged camera's node from coming back.
package final class VideoDevice {
  package let path: String
  var fd: Int32
  var buffers: [UnsafeMutableRawBufferPointer] = []
  var isStreaming = false
  var watchesSource = false
  /// A capture card's: what came in when it was configured.
  package internal(set) var signal: PixelSize?
  /// For messages: where it is plugged in.
  private(set) var bus = ""

  /// Opens it, which starts nothing and disturbs nobody.
  package init(path: String) throws(V4L2Error) {
    self.path = path
    fd = cl_open(path, O_RDWR | O_NONBLOCK, 0)
    guard fd >= 0 else { throw V4L2Error(-fd, "open", path: path) }
  }

  deinit { close() }

  package func close() {
    guard fd >= 0 else { return }
    stop()
    Glibc.close(fd)
    fd = -1
  }

  /// Throws `notACamera` for anything that is no single-planar capture node.
  package func requireCamera() throws(V4L2Error) -> VideoCapability {
    let capability = try capability()
    guard capability.isCamera else { throw .notACamera(path: path) }
    bus = capability.bus
    return capability
  }

  package func capability() throws(V4L2Error) -> VideoCapability {
    var answer = v4l2_capability()
    try check(cv4l2_querycap(fd, &answer), "QUERYCAP")
    let ofThisNode =
      answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0 ? answer.device_caps : answer.capabilities
    let needed = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
    let memoryToMemory = UInt32(V4L2_CAP_VIDEO_M2M) | UInt32(V4L2_CAP_VIDEO_M2M_MPLANE)
    return VideoCapability(
      driver: deviceText(of: answer.driver), card: deviceText(of: answer.card), bus: deviceText(of: answer.bus_info),
      isCamera: ofThisNode & needed == needed && ofThisNode & memoryToMemory == 0)
  }

  /// All that the driver offers, asked with queries only: also while another program streams from it.
  package func describe() throws(V4L2Error) -> DeviceDescription {
    let capability = try requireCamera()
    return DeviceDescription(
      driver: capability.driver, card: capability.card, bus: capability.bus, node: path,
      formats: FormatList.read(self))
  }

  /// Another program has buffers of it. Asked by giving back the buffers that we do not have, which a driver
  /// refuses to anybody but their owner.
  package var isHeldByAnother: Bool {
    guard buffers.isEmpty else { return false }
    var request = v4l2_requestbuffers()
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    return cv4l2_reqbufs(fd, &request) == -EBUSY
  }

  func check(_ result: Int32, _ call: String) throws(V4L2Error) {
    guard result >= 0 else { throw V4L2Error(-result, call, path: path) }
  }
}

extension VideoDevice: FormatSource {
  package func format(at index: Int) -> (fourcc: FourCC, label: String)? {
    var entry = v4l2_fmtdesc()
    entry.index = UInt32(index)
    entry.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    guard cv4l2_enum_fmt(fd, &entry) == 0 else { return nil }
    return (FourCC(entry.pixelformat), deviceText(of: entry.description))
  }

  package func size(of fourcc: FourCC, at index: Int) -> OfferedSize? {
    var entry = v4l2_frmsizeenum()
    entry.index = UInt32(index)
    entry.pixel_format = fourcc.rawValue
    guard cv4l2_enum_framesizes(fd, &entry) == 0 else { return nil }
    if entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
      return .discrete(PixelSize(width: Int(entry.discrete.width), height: Int(entry.discrete.height)))
    }
    let range = entry.stepwise
    return .range(
      smallest: PixelSize(width: Int(range.min_width), height: Int(range.min_height)),
      largest: PixelSize(width: Int(range.max_width), height: Int(range.max_height)),
      step: PixelSize(width: Int(range.step_width), height: Int(range.step_height)))
  }

  package func rate(of fourcc: FourCC, size: PixelSize, at index: Int) -> OfferedRate? {
    var entry = v4l2_frmivalenum()
    entry.index = UInt32(index)
    entry.pixel_format = fourcc.rawValue
    entry.width = UInt32(truncatingIfNeeded: size.width)
    entry.height = UInt32(truncatingIfNeeded: size.height)
    guard cv4l2_enum_frameintervals(fd, &entry) == 0 else { return nil }
    if entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
      return FrameRate(interval: entry.discrete).map { .discrete($0) } ?? .nonsense
    }
    guard let fastest = FrameRate(interval: entry.stepwise.min), let slowest = FrameRate(interval: entry.stepwise.max)
    else { return .nonsense }
    return .range(fastest: fastest, slowest: slowest)
  }
}

extension FrameRate {
  /// Nil for an interval of zero, above 1000 s or below 0.1 ms: drivers put anything there.
  init?(interval: v4l2_fract) {
    let numerator = Int(interval.numerator)
    let denominator = Int(interval.denominator)
    guard numerator > 0, denominator > 0, numerator < 1 << 31, denominator < 1 << 31,
      denominator <= numerator * 10_000, numerator <= denominator * 1000
    else { return nil }
    self.init(denominator, numerator)
  }
}
