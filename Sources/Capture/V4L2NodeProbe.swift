import CLinux
import CVideo4Linux
import Glibc
import V4L2

/// Probes through QUERYCAP and ENUM_FMT.
package struct V4L2NodeProbe: NodeProbe {
  /// A driver that counts on for ever has none of these to say.
  private static let mostFormats: UInt32 = 64

  package init() {}

  package func probe(_ node: String) throws(NodeProbeError) -> NodeFacts {
    let file = cl_open(node, O_RDWR | O_NONBLOCK, 0)
    guard file >= 0 else { throw error(-file, node, "open") }
    defer { close(file) }
    var capability = v4l2_capability()
    let result = cv4l2_querycap(file, &capability)
    guard result == 0 else { throw error(-result, node, "QUERYCAP") }
    let hasOwn = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    let caps = hasOwn ? capability.device_caps : capability.capabilities
    return NodeFacts(
      deviceCaps: caps,
      driver: withUnsafeBytes(of: capability.driver) { deviceText($0) },
      card: withUnsafeBytes(of: capability.card) { deviceText($0) },
      busInfo: withUnsafeBytes(of: capability.bus_info) { deviceText($0) },
      formatCount: formatCount(file, caps))
  }

  private func formatCount(_ file: Int32, _ caps: UInt32) -> Int {
    let isSinglePlanar = caps & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0
    guard isSinglePlanar || caps & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 else { return 0 }
    let type = isSinglePlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE : V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
    var count: UInt32 = 0
    while count < Self.mostFormats {
      var entry = v4l2_fmtdesc()
      entry.index = count
      entry.type = type.rawValue
      guard cv4l2_enum_fmt(file, &entry) == 0 else { break }
      count += 1
    }
    return Int(count)
  }

  private func error(_ code: Int32, _ node: String, _ call: String) -> NodeProbeError {
    switch code {
    case ENOENT, EACCES, EPERM:
      .notYetOurs(
        code == ENOENT
          ? "\(node) does not exist (yet)."
          : "\(node) may not be opened. The user of this process must be in the group video; see: ls -l \(node)")
    // Only where nothing was opened: our own closing must not be taken for the other program's.
    case EBUSY where call == "open":
      .busy("\(node) is in use by another program. Find it with: fuser -v \(node)")
    case ENODEV, ENXIO: .gone
    default:
      .refused(
        "\(node) refused \(call): \(String(cString: strerror(code))). Unplug the camera, wait a moment and plug it in "
          + "again.")
    }
  }
}
