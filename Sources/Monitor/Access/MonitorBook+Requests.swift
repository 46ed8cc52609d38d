import CamrigModel
import Pairing

/// Strangers that ask the paired monitors to be let in.
extension MonitorBook {
  package func ask(name: String, from address: String, isBrowser: Bool) -> PairingRequests.Asking {
    let (now, wall) = (clock.now, clock.anchor.wall)
    return state.withLock { $0.requests.ask(name, from: address, isBrowser: isBrowser, at: now, wall: wall) }
  }

  package enum RequestOutcome: Hashable, Sendable {
    case waiting, denied
    /// Too old, taken already, or never made.
    case expired
    /// Told once. A browser gets its token as a cookie alone.
    case paired(PairedMonitor, token: String, isBrowser: Bool)
  }

  /// What became of a request. One that was approved becomes a monitor now that somebody is there to take its token.
  package func outcome(secret: String, from address: String) throws(PairingFailure) -> RequestOutcome {
    let now = clock.now
    switch state.withLock({ $0.requests.outcome(secret: secret, at: now) }) {
    case .waiting: return .waiting
    case .denied: return .denied
    case .unknown: return .expired
    case .approved(let role, let request):
      let (monitor, token) = try admit(request.name, as: role, from: address)
      return .paired(monitor, token: token, isBrowser: request.isBrowser)
    }
  }

  var requests: [PairingRequestDescription] {
    let now = clock.now
    return state.withLock { $0.requests.waiting(at: now) }.map {
      PairingRequestDescription(request: "\($0.id)", name: $0.name, address: $0.address, check: $0.check, at: $0.asked)
    }
  }

  /// Lets the stranger in with that role, or with none sends it away; nil where nobody of that number waits.
  func decide(_ request: String, _ role: AccessRole?) -> PairingRequests.Open? {
    guard let id = Int(request) else { return nil }
    let now = clock.now
    return state.withLock { state in
      if let role { return state.requests.approve(id, as: role, at: now) }
      return state.requests.deny(id, at: now)
    }
  }
}
