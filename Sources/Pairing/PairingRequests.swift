import CamrigModel

/// Strangers that ask the paired monitors to be let in. A handful at once, each for ten minutes; kept in memory alone.
/// The four digits of each are shown on both sides: they tell two that ask at once apart, and no stranger can choose
/// them.
package struct PairingRequests: Sendable {
  package static let life = Duration.seconds(600)
  /// Undecided at once. More are refused: what a person is asked must stay a list that can be read.
  package static let most = 5
  /// Of one address in `life`.
  package static let mostOfAddress = 5
  /// Of all in `life`.
  package static let mostOfAll = 30

  package struct Open: Hashable, Sendable {
    /// Counts up; known to those who decide.
    package let id: Int
    package let name: String
    package let address: String
    package let check: String
    package let asked: WallTime
    /// Keeps a cookie rather than a token.
    package let isBrowser: Bool
    fileprivate let secretHash: String
    fileprivate let until: MediaTime
    fileprivate var decision: Decision?
  }

  fileprivate enum Decision: Hashable { case approved(AccessRole), denied }

  package enum Asking: Hashable, Sendable {
    /// What the stranger asks for the outcome with, and the digits.
    case accepted(secret: String, check: String)
    /// Try again in so long. `isNews`: the first refusal of that address.
    case tooMany(Duration, isNews: Bool)
    case noRandomNumbers
  }

  package enum Outcome: Hashable, Sendable {
    case waiting
    /// Told once: it is the caller's to make the monitor.
    case approved(AccessRole, Open)
    case denied
    /// Too old, taken already, or never made.
    case unknown
  }

  private struct Tries {
    var begun: MediaTime
    var count = 0
    var isRefused = false
  }

  private var requests: [Open] = []
  private var tries: [String: Tries] = [:]
  private var triesOfAll: Tries?
  private var next = 1

  package init() {}

  /// A newer request of an address takes the place of its older one: the page was loaded anew.
  package mutating func ask(
    _ name: String, from address: String, isBrowser: Bool = false, at now: MediaTime, wall: WallTime
  ) -> Asking {
    forget(at: now)
    if let wait = refusal(of: address, at: now) { return wait }
    guard let secret = AccessToken.random(), let check = freshCheck() else { return .noRandomNumbers }
    requests.removeAll { $0.address == address && $0.decision == nil }
    tries[address, default: Tries(begun: now)].count += 1
    triesOfAll = Tries(begun: triesOfAll?.begun ?? now, count: (triesOfAll?.count ?? 0) + 1)
    requests.append(
      Open(
        id: next, name: PairedMonitors.shown(name), address: address, check: check, asked: wall, isBrowser: isBrowser,
        secretHash: secret.hash, until: now + Self.life, decision: nil))
    next += 1
    return .accepted(secret: secret.text, check: check)
  }

  /// Nil: it may ask.
  private mutating func refusal(of address: String, at now: MediaTime) -> Asking? {
    let own = tries[address]
    var until: MediaTime?
    if let own, own.count >= Self.mostOfAddress { until = own.begun + Self.life }
    if let all = triesOfAll, all.count >= Self.mostOfAll { until = all.begun + Self.life }
    let undecided = requests.filter { $0.decision == nil }
    if undecided.count >= Self.most, !undecided.contains(where: { $0.address == address }) {
      until = until ?? undecided.map(\.until).min()
    }
    guard let until else { return nil }
    // No more than those that asked are remembered: `mostOfAll` bounds them, and strangers beyond share one place.
    let key = own != nil || tries.count < Self.mostOfAll ? address : ""
    let isNews = tries[key]?.isRefused != true
    tries[key, default: Tries(begun: now)].isRefused = true
    return .tooMany(until - now, isNews: isNews)
  }

  /// None that is shown anywhere now.
  private func freshCheck() -> String? {
    while true {
      guard let digits = SecureRandom.digits(4) else { return nil }
      if !requests.contains(where: { $0.check == digits }) { return digits }
    }
  }

  /// Those nobody has decided on, oldest first.
  package mutating func waiting(at now: MediaTime) -> [Open] {
    forget(at: now)
    return requests.filter { $0.decision == nil }
  }

  package mutating func approve(_ id: Int, as role: AccessRole, at now: MediaTime) -> Open? {
    decide(id, .approved(role), at: now)
  }

  package mutating func deny(_ id: Int, at now: MediaTime) -> Open? { decide(id, .denied, at: now) }

  /// The request that was decided on; nil where none of that number waits.
  private mutating func decide(_ id: Int, _ decision: Decision, at now: MediaTime) -> Open? {
    forget(at: now)
    guard let index = requests.firstIndex(where: { $0.id == id && $0.decision == nil }) else { return nil }
    requests[index].decision = decision
    return requests[index]
  }

  /// What became of it. An outcome is told once.
  package mutating func outcome(secret: String, at now: MediaTime) -> Outcome {
    forget(at: now)
    let hash = AccessToken.hash(of: secret)
    guard let index = requests.firstIndex(where: { $0.secretHash == hash }) else { return .unknown }
    switch requests[index].decision {
    case nil: return .waiting
    case .approved(let role): return .approved(role, requests.remove(at: index))
    case .denied:
      requests.remove(at: index)
      return .denied
    }
  }

  /// Nothing that was approved is good any more: whoever did so may just have lost the right to.
  package mutating func withdrawApprovals() {
    requests.removeAll { if case .approved = $0.decision { true } else { false } }
  }

  private mutating func forget(at now: MediaTime) {
    requests.removeAll { $0.until <= now }
    tries = tries.filter { $0.value.begun + Self.life > now }
    if let all = triesOfAll, all.begun + Self.life <= now { triesOfAll = nil }
  }
}
