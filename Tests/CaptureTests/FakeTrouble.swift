import Capture

/// What the driver of a fake camera answers when something is wrong.
enum FakeTrouble {
  static let node = "/dev/fake0"
  static let unplugged = CaptureError.device(.unplugged(path: node))
  static let busy = CaptureError.device(.busy(path: node))
  static let forbidden = CaptureError.device(.permission(path: node))
  static let noBandwidth = CaptureError.device(.noBandwidth(path: node, bus: "usb-1"))
  static let noSignal = CaptureError.device(.noSignal(path: node, .missing))
  static let readError = CaptureError.device(.refused(path: node, call: "DQBUF", errno: 5))
}
