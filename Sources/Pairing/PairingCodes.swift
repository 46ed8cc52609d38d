import CamrigModel

/// The codes by which monitors are paired: each for one monitor, for ten minutes, and not for guessing. Kept in memory
/// alone; after a restart there are none.
package struct PairingCodes: Sendable {
  package static let life = Duration.seconds(600)
  package static let digits = 8
  /// Open at once; a further one takes the place of the oldest.
  package static let mostOpen = 8
  /// Wrong tries of one address in `life`.
  package static let triesOfAddress = 5
  /// Wrong tries of all in `life`: a code is guessed with a chance of 3 in ten million, however many addresses try. The
  /// price is that many addresses together can hold up pairing for as long.
  package static let triesOfAll = 30
  /// Addresses with wrong tries that are told apart; more share one account.
  package static let mostAddresses = 256

  package enum Verdict: Hashable, Sendable {
    case accepted(AccessRole)
    /// No such code: never, or not any more.
    case wrong
    /// Not looked at; try again in so long.
    case tooMany(Duration)
  }

  private struct Open {
    let code: String
    let role: AccessRole
    let until: MediaTime
  }

  private struct Tries {
    var begun: MediaTime
    var count: Int
  }

  private var open: [Open] = []
  private var tries: [String: Tries] = [:]
  private var triesOfAll: Tries?

  package init() {}

  /// A new code for a monitor of that role; nil where the kernel has no random numbers.
  package mutating func issue(_ role: AccessRole, at now: MediaTime) -> String? {
    guard let code = SecureRandom.digits(Self.digits) else { return nil }
    open.removeAll { $0.until <= now || $0.code == code }
    if open.count >= Self.mostOpen { open.removeFirst() }
    open.append(Open(code: code, role: role, until: now + Self.life))
    return code
  }

  /// For people: `1234 5678`.
  package static func grouped(_ code: String) -> String { code.prefix(4) + " " + code.dropFirst(4) }

  /// As typed: spaces and dashes do not count. A code that is accepted is used up.
  package mutating func redeem(_ typed: String, from address: String, at now: MediaTime) -> Verdict {
    forget(at: now)
    let key = tries[address] == nil && tries.count >= Self.mostAddresses ? "" : address
    if let tries = tries[key], tries.count >= Self.triesOfAddress { return .tooMany(tries.begun + Self.life - now) }
    if let all = triesOfAll, all.count >= Self.triesOfAll { return .tooMany(all.begun + Self.life - now) }
    let code = typed.filter { $0 != " " && $0 != "-" }
    guard let index = open.firstIndex(where: { $0.code == code }) else {
      tries[key, default: Tries(begun: now, count: 0)].count += 1
      triesOfAll = Tries(begun: triesOfAll?.begun ?? now, count: (triesOfAll?.count ?? 0) + 1)
      return .wrong
    }
    return .accepted(open.remove(at: index).role)
  }

  /// No code that is open now is good any more: whoever made one may just have lost the right to.
  package mutating func withdraw() { open = [] }

  private mutating func forget(at now: MediaTime) {
    open.removeAll { $0.until <= now }
    tries = tries.filter { $0.value.begun + Self.life > now }
    if let all = triesOfAll, all.begun + Self.life <= now { triesOfAll = nil }
  }
}
