import CamrigModel
import HTTP

/// Why a rig in the network could not be asked, or what it answered instead.
package enum RemoteRigError: Error, Hashable, CustomStringConvertible {
  /// This user has never paired with it.
  case unknown(String)
  /// It knows this user's token no more.
  case notPaired(String)
  case connection(HTTPClientError)
  case timedOut(String, String, Duration)
  case garbled(String, String)
  case closed(String, String)
  /// Its answer to a request for a page or a file.
  case refused(status: Int, String)

  package var description: String {
    switch self {
    case .unknown(let host):
      "This user has not paired with \(host) yet. Run camrigctl pair on the rig, then here: camrigctl connect \(host)"
    case .notPaired(let host):
      "\(host) does not know this user any more: its pairing was taken away. Pair again with: camrigctl connect \(host)"
    case .connection(.otherRig(let host, let expected, let seen)):
      "\(HTTPClientError.otherRig(host, expected: expected, seen: seen)) To pair again: "
        + "camrigctl rigs forget \(host), then camrigctl connect \(host)"
    case .connection(let error): error.description
    case .timedOut(let host, let method, let limit):
      "\(host) did not answer \(method) within \(Int(limit.inSeconds.rounded())) s. Does the rig run?"
    case .garbled(let host, let what):
      "The answer of \(host) cannot be read (\(what)). Are camrigctl and the rig of the same version?"
    case .closed(let host, let why): "\(host) closed the connection" + (why.isEmpty ? "." : ": \(why).")
    case .refused(_, let message): message
    }
  }

  package var exitStatus: ExitStatus {
    switch self {
    case .unknown, .notPaired: .noPerm
    case .connection(let error): error.exitStatus
    case .timedOut: .tempFail
    case .garbled: .software
    case .closed: .unavailable
    case .refused(400, _), .refused(413, _): .usage
    case .refused(401, _), .refused(403, _), .refused(421, _): .noPerm
    case .refused(404, _): .noInput
    case .refused(409, _), .refused(429, _): .tempFail
    case .refused: .unavailable
    }
  }
}

extension HTTPClientError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .noConnection, .refused, .lost, .closed: .unavailable
    case .unknownRig, .otherRig, .badCertificate: .noPerm
    case .tooLarge: .software
    case .startFailed: .osErr
    }
  }
}
