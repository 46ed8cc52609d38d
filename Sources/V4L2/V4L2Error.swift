import Glibc

/// What a video device answered instead of doing what it was asked. The text is for the operator.
package enum V4L2Error: Error, Hashable, Sendable, CustomStringConvertible {
  case missing(path: String)
  case permission(path: String)
  /// Another program streams from it.
  case busy(path: String)
  case unplugged(path: String)
  /// STREAMON: the USB bus has no room for another stream.
  case noBandwidth(path: String, bus: String)
  /// STREAMON with any other errno: often the same cause in other words (ENOMEM, EMSGSIZE, EIO, EPROTO).
  case startRefused(path: String, bus: String, errno: Int32)
  /// A capture card: what is plugged into its input sends nothing, or nothing that it can follow.
  case noSignal(path: String, SignalFault)
  case notACamera(path: String)
  case noUsableFormat(path: String, fourcc: String)
  case tooFewBuffers(path: String, count: Int, least: Int)
  /// `call` is the ioctl's name without its prefix (`S_FMT`).
  case refused(path: String, call: String, errno: Int32)

  package var description: String {
    switch self {
    case .missing(let path):
      "\(path) does not exist. Plug the camera in, or see which cameras there are with: camrigctl cameras"
    case .permission(let path):
      "\(path) may not be opened. The user of this process must be in the group video; see: ls -l \(path)"
    case .busy(let path):
      "\(path) is in use by another program. Find it with: fuser -v \(path)"
    case .unplugged(let path):
      "\(path) is gone. Plug the camera back into the same USB socket."
    case .noBandwidth(let path, let bus):
      "\(path) cannot start: the USB bandwidth of \(bus) is used up (ENOSPC). Choose a smaller size or rate for the "
        + "cameras there, or move one to a socket of another USB controller. What fits together: camrigctl bandwidth"
    case .startRefused(let path, let bus, let errno) where isUSB(bus):
      "\(path) cannot start: \(errnoWords(errno)). Often the USB bus is overloaded: choose a smaller size or rate for "
        + "the cameras on \(bus), or move one to a socket of another USB controller. What fits together: "
        + "camrigctl bandwidth"
    case .startRefused(let path, _, let errno):
      "\(path) cannot start: \(errnoWords(errno)). Choose another size or format for it with camrigctl camera set, "
        + "and see what the kernel says of it: journalctl -k"
    case .noSignal(let path, let fault): "\(path) \(fault)"
    case .notACamera(let path):
      "\(path) takes no pictures: it is no video capture device with streaming."
    case .noUsableFormat(let path, let fourcc):
      "\(path) delivers \(fourcc), which camrig cannot record. Choose another format with: camrigctl camera set"
    case .tooFewBuffers(let path, let count, let least):
      "\(path) gave \(count) buffers where at least \(least) are needed: the kernel is short of memory for them. "
        + "Choose a smaller size."
    case .refused(let path, let call, let errno):
      "\(path) refused \(call): \(errnoWords(errno)). Unplug the camera, wait a moment and plug it in again."
    }
  }

  /// What `errno` means wherever it comes up; `call` names the place for all others.
  init(_ errno: Int32, _ call: String, path: String) {
    self =
      switch errno {
      case ENOENT: .missing(path: path)
      case EACCES, EPERM: .permission(path: path)
      case EBUSY: .busy(path: path)
      case ENODEV, ENXIO: .unplugged(path: path)
      default: .refused(path: path, call: call, errno: errno)
      }
  }
}

/// What the kernel calls a USB device's place: `usb-0000:00:14.0-1`.
package func isUSB(_ bus: String) -> Bool { bus.hasPrefix("usb-") }

/// `No space left on device (errno 28)`
package func errnoWords(_ errno: Int32) -> String { "\(String(cString: strerror(errno))) (errno \(errno))" }
