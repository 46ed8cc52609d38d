import Glibc

/// Why a microphone gives no sound. The text is what the operator reads.
package enum SoundError: Error, Hashable, Sendable, CustomStringConvertible {
  case unplugged(device: String)
  case busy(device: String)
  case permission(device: String)
  case noUsableFormat(device: String)
  case refused(device: String, call: String, errno: Int32)
  /// It is open, and nothing comes.
  case silent(device: String)

  /// - Parameter code: what libasound returned, negative.
  package init(_ device: String, _ call: String, _ code: Int32) {
    switch -code {
    // A PCM whose card has gone says EBADFD to everything but the first call.
    case ENODEV, ENXIO, ENOENT, EBADFD, ESHUTDOWN, ENOTTY: self = .unplugged(device: device)
    case EBUSY: self = .busy(device: device)
    case EACCES, EPERM: self = .permission(device: device)
    default: self = .refused(device: device, call: call, errno: -code)
    }
  }

  package var description: String {
    switch self {
    case .unplugged(let device):
      "The microphone \(device) is gone. Plug it back into the same USB socket."
    case .busy(let device):
      "The microphone \(device) is in use by another program. Find it with: fuser -v /dev/snd/*"
    case .permission(let device):
      "The microphone \(device) may not be opened. Is the service's user in the group audio?"
    case .noUsableFormat(let device):
      "The microphone \(device) offers no format that camrig records "
        + "(\(SampleFormat.allCases.map(\.rawValue).joined(separator: ", ")))."
    case .refused(let device, let call, let errno):
      "The microphone \(device) refused \(call): \(String(cString: strerror(errno))). Plug it out and in; the kernel's "
        + "words are in: journalctl -k -g usb"
    case .silent(let device):
      "The microphone \(device) is open, but no sound comes. Unplug it, wait a moment and plug it in again."
    }
  }
}
