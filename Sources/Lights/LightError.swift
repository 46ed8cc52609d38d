import DaemonKit
import Glibc

/// Why a light does not do what was asked, with the cure.
package enum LightError: Error, Hashable, Sendable, CustomStringConvertible {
  case noSuchLED(String)
  case noSuchChip(String)
  /// `code` is an `errno`.
  case failed(LightPlace, code: Int32)
  case notAllowed(LightPlace)
  /// The helper that has the right to switch lights.
  case helperMissing(String)
  case helperSilent(String)
  /// What the helper said.
  case refused(String)
  case unreadable(String)

  package var description: String {
    switch self {
    case .noSuchLED(let name):
      "there is no /sys/class/leds/\(name). Look there for the right name, and write it into [Torch] of camrig.conf."
    case .noSuchChip(let chip): "there is no /dev/\(chip). List the chips with: gpiodetect"
    case .failed(let place, EBUSY): "\(place) is in use by another program or driver. See: gpioinfo"
    case .failed(let place, EACCES), .failed(let place, EPERM):
      "\(place) may not be switched from here: the right to do it has camrig-torch. Start it: systemctl start "
        + "camrig-torch.socket"
    case .failed(let place, let code): "\(place): \(FileError.words(code))"
    case .notAllowed(let place):
      "\(place) is no light that camrig.conf names. Add it to Lights= or Tally= in [Torch]."
    case .helperMissing(let path):
      "camrig-torch, which has the right to switch lights, does not listen at \(path). Start it: systemctl start "
        + "camrig-torch.socket"
    case .helperSilent: "camrig-torch did not answer in time. See: journalctl -u camrig-torch"
    case .refused(let text), .unreadable(let text): text
    }
  }
}
