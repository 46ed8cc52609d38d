import Glibc

/// Why the rig could not be asked, or what it answered instead.
package enum ControlClientError: Error, Hashable, CustomStringConvertible {
  case noSocket(String)
  case noAnswer(String)
  case notPermitted(String)
  case overrun(String)
  case failed(String, Int32)
  case closed(String)
  case timedOut(String, Duration)
  case garbled(String)
  /// The rig's own error.
  case refused(RPCError)

  package var description: String {
    switch self {
    case .noSocket(let path):
      "camrigd does not run here: there is no \(path). Look with: systemctl status camrig"
    case .noAnswer(let path):
      "camrigd does not run: nobody answers at \(path). Look with: systemctl status camrig"
    case .notPermitted(let path):
      "You may not use \(path): you are not in the group camrig. "
        + "Join it with: sudo adduser $USER camrig, then log in again."
    case .overrun(let path):
      "camrigd does not take connections at \(path) just now. Try again; look with: systemctl status camrig"
    case .failed(let path, let code):
      "\(path) cannot be used: \(String(cString: strerror(code))). Look with: systemctl status camrig"
    case .closed(let path):
      "camrigd closed the connection at \(path). Look with: journalctl -u camrig -e"
    case .timedOut(let method, let limit):
      "camrigd did not answer \(method) within \(Int(limit.inSeconds.rounded())) s. "
        + "Look with: systemctl status camrig"
    case .garbled(let what):
      "camrigd's answer cannot be read (\(what)). Are camrigctl and camrigd of the same version?"
    case .refused(let error): error.message
    }
  }
}
