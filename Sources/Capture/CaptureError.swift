import CamrigModel
import Glibc
import V4L2

/// Why a camera gives no pictures. The text is what the operator reads.
package enum CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  case device(V4L2Error)
  /// It offers only formats that camrig cannot record.
  case noUsableFormat(node: String, offered: [String])
  /// No picture came from it, however often it was restarted.
  case noPictures(node: String)
  /// The kernel gave no thread or descriptor.
  case noResources(what: String, errno: Int32)
  case testPattern(String)

  package var description: String {
    switch self {
    case .device(let error): error.description
    case .noUsableFormat(let node, let offered):
      "\(node) offers only \(offered.isEmpty ? "nothing" : offered.joined(separator: ", ")), and camrig records "
        + PixelFormat.allCases.map(\.rawValue).joined(separator: ", ") + "."
    case .noPictures(let node):
      "\(node) is plugged in, but no picture comes. Unplug the camera, wait a moment and plug it in again."
    case .noResources(let what, let errno):
      "The system gave no \(what): \(String(cString: strerror(errno))). Raise LimitNOFILE= or TasksMax= of the service."
    case .testPattern(let why): "The test pattern cannot be drawn: \(why)"
    }
  }

  /// What the camera does about it.
  package enum Trouble: Hashable, Sendable {
    case unplugged
    case busy
    /// The node is there before udev has made it ours.
    case notYetOurs
    /// The bus has no room: a smaller format may fit.
    case bandwidth
    /// It would not start, with an error that means bandwidth on some controllers and a broken format on others.
    case startRefused
    /// It is well, and what is plugged into it sends nothing.
    case noSignal
    case other
  }

  package var trouble: Trouble {
    switch self {
    case .device(let error):
      switch error {
      case .unplugged: .unplugged
      case .busy: .busy
      case .missing, .permission: .notYetOurs
      case .noBandwidth: .bandwidth
      case .startRefused(_, let bus, let errno): errno == EIO || !isUSB(bus) ? .startRefused : .bandwidth
      case .noSignal: .noSignal
      case .notACamera, .noUsableFormat, .tooFewBuffers, .refused: .other
      }
    case .noUsableFormat, .noPictures, .noResources, .testPattern: .other
    }
  }

  package var cause: CameraCause {
    switch self {
    case .device(.unplugged), .device(.missing): .unplugged
    case .device(.busy): .inUse
    case .device(.permission): .noPermission
    case .device(.noUsableFormat), .device(.notACamera), .noUsableFormat: .noUsableFormat
    case .device(.noSignal): .noSignal
    case .noPictures: .stalled
    case .device(.noBandwidth): .noBandwidth
    case .device(.startRefused): trouble == .bandwidth ? .noBandwidth : .deviceError
    case .device(.tooFewBuffers), .device(.refused), .noResources, .testPattern: .deviceError
    }
  }

  /// Trouble that another format may not have.
  package var comesOfFormat: Bool {
    switch self {
    case .device(.refused(_, call: let call, _)): call == "DQBUF" || call == "QBUF"
    case .device(.tooFewBuffers), .device(.noUsableFormat): true
    default: false
    }
  }
}
