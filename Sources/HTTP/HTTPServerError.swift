import Glibc

package enum HTTPServerError: Error, Hashable, CustomStringConvertible {
  case portTaken(ListenPlace)
  case noSuchAddress(ListenPlace)
  case notPermitted(ListenPlace)
  case anotherAnswers(String)
  case notASocket(String)
  case pathTooLong(String)
  case noDirectory(String)
  case failed(ListenPlace, Int32)
  case notListening(ListenPlace)
  case noCertificate
  case startFailed(String)

  package var description: String {
    switch self {
    case .portTaken(let place):
      "\(place) is taken by another program. Find it with: ss -ltnp, or choose another port with Listen=."
    case .noSuchAddress(let place):
      "\(place) is no address of this machine. See: ip address; a name is not taken, only a number or *."
    case .notPermitted(let place):
      "\(place) may not be used: ports below 1024 belong to root. Choose a higher one, or let systemd listen "
        + "(a socket unit)."
    case .anotherAnswers(let path):
      "another program answers on \(path). Stop it, or choose another path."
    case .notASocket(let path):
      "\(path) is there, but it is no socket. Move it away."
    case .pathTooLong(let path):
      "\(path) is too long for a socket (107 bytes at most). Choose a shorter path."
    case .noDirectory(let path):
      "\(path) cannot be made: its directory is missing. Make it, or choose another path."
    case .failed(let place, let code):
      "nobody can be received at \(place): \(String(cString: strerror(code)))."
    case .notListening(let place):
      "\(place) does not listen. Does its unit say Accept=yes? It must say Accept=no and ListenStream=."
    case .noCertificate: "a server for HTTPS needs its certificate before it can listen."
    case .startFailed(let what): "the web server cannot be started: \(what)."
    }
  }
}
