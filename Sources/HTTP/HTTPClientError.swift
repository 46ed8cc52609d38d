package enum HTTPClientError: Error, Hashable, CustomStringConvertible {
  /// `host:port`, and why.
  case noConnection(String, String)
  /// No fingerprint was given to compare this one with.
  case unknownRig(String, seen: CertificateFingerprint)
  case otherRig(String, expected: CertificateFingerprint, seen: CertificateFingerprint)
  case badCertificate(String, String)
  /// A WebSocket was refused with this status.
  case refused(String, Int)
  case lost(String)
  case tooLarge(String, bytes: Int)
  case closed
  case startFailed(String)

  package var description: String {
    switch self {
    case .noConnection(let host, let reason):
      "\(host) cannot be reached: \(reason). Does the rig run, and is this its address and port?"
    case .unknownRig(let host, let seen):
      "\(host) is not known yet. It shows the fingerprint \(seen.grouped). Compare it with the one that "
        + "camrigctl status shows on the rig itself."
    case .otherRig(let host, let expected, let seen):
      "\(host) is not the rig that it was: it shows the fingerprint \(seen), expected was \(expected). "
        + "Nothing was sent to it. If the rig was set up anew, pair again; if not, somebody is in between."
    case .badCertificate(let host, let reason):
      "the certificate of \(host) is not right: \(reason). Are the clocks of both machines right?"
    case .refused(let host, let status): "\(host) refuses the connection (HTTP \(status))."
    case .lost(let host): "the connection to \(host) was lost before the answer was complete."
    case .tooLarge(let host, let bytes): "the answer of \(host) is longer than \(bytes) bytes."
    case .closed: "this client was closed."
    case .startFailed(let what): "the HTTP client cannot be started: \(what)."
    }
  }
}
