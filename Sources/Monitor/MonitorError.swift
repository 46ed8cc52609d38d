import Glibc

package enum MonitorError: Error, Hashable, CustomStringConvertible {
  case anotherAnswers(String)
  case notASocket(String)
  case pathTooLong(String)
  case noDirectory(String)
  case failed(String, Int32)
  case thread(String)

  package var description: String {
    switch self {
    case .anotherAnswers(let path):
      "another camrigd answers on \(path). Stop it with: systemctl stop camrig, or give this one its own --runtime-dir."
    case .notASocket(let path):
      "\(path) is there, but it is no socket. Move it away; camrigd makes its own."
    case .pathTooLong(let path):
      "\(path) is too long for a socket (107 bytes at most). Choose a shorter --runtime-dir."
    case .noDirectory(let path):
      "\(path) cannot be made: its directory is missing. Make it, or choose another --runtime-dir."
    case .failed(let path, let code):
      "\(path) cannot be opened as the control socket: \(String(cString: strerror(code)))."
    case .thread(let text): text
    }
  }
}
