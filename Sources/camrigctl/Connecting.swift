import CamrigModel
import DaemonKit
import Glibc
import HTTP
import RigClient

/// How this user comes to know a rig: by its fingerprint, which a person has compared, and a code.
struct Connecting {
  let address: RigAddress
  /// The fingerprint from the command line.
  let given: CertificateFingerprint?
  let code: String?
  /// Without a code, a paired monitor decides.
  let asksMonitors: Bool
  let book: RigBook

  struct Result {
    let rig: KnownRig
    /// Nil: it was paired before.
    let role: String?

    var sentence: String {
      role.map { "Paired with \(rig.name) at \(rig.address) as \($0)." }
        ?? "\(rig.name) is known already; it is at \(rig.address) now."
    }

    var json: JSONValue {
      var members = rig.shown.asObject ?? [:]
      if let role { members["role"] = .string(role) }
      return .object(members)
    }
  }

  func run() throws -> Result {
    let known = try book.read()
    let fingerprint = try agreedFingerprint(known)
    let before = known.find(fingerprint)
    // Whoever brings a code wants another pairing, perhaps with another role.
    if code == nil, !asksMonitors, let rig = try moved(before) { return Result(rig: rig, role: nil) }
    let introduction = RigIntroduction(try RigWeb(address, trust: .pinned(fingerprint)))
    let name = try introduction.session().name
    let pairing = try pair(introduction)
    let rig = KnownRig(name: name, address: address, fingerprint: fingerprint, token: pairing.token)
    try book.change { $0.keep(rig) }
    // Best effort: otherwise it stays on the rig's list, where nobody uses it any more.
    if var before {
      before.address = address
      _ = try? RigWeb(before).send(.post, "/unpair")
    }
    return Result(rig: rig, role: pairing.role)
  }

  /// Whoever answers there is never believed by itself.
  private func agreedFingerprint(_ known: KnownRigs) throws -> CertificateFingerprint {
    if let given { return given }
    let seen = try RigIntroduction.fingerprint(at: address)
    if let before = known.find("\(address)"), before.fingerprint != seen {
      throw ChangedRig(name: before.name, address: address, expected: before.fingerprint, seen: seen)
    }
    if known.find(seen) != nil { return seen }
    guard Terminal.isThere else {
      throw UsageError(
        "nobody is there to compare the fingerprint of \(address): give it with --fingerprint, as camrigctl status shows "
          + "it on the rig")
    }
    Terminal.say("The rig at \(address) shows this fingerprint:\n\n  \(seen.grouped)\n")
    guard Terminal.confirms("Is it the one that camrigctl status or pair shows on the rig itself?") else {
      throw NotLetIn("The rig is not trusted, so nothing was sent to \(address).")
    }
    return seen
  }

  /// A rig that was paired with before, under its new address; nil where it is none, or has taken the pairing away.
  private func moved(_ rig: KnownRig?) throws -> KnownRig? {
    guard var rig else { return nil }
    rig.address = address
    let session = try RigIntroduction(try RigWeb(rig)).session()
    guard session.isPaired else { return nil }
    rig.name = session.name
    let kept = rig
    try book.change { $0.keep(kept) }
    return kept
  }

  private func pair(_ introduction: RigIntroduction) throws -> RigIntroduction.Pairing {
    if asksMonitors { return try askMonitors(introduction) }
    if let code { return try introduction.pair(code: code, name: Self.ownName) }
    guard Terminal.isThere else {
      throw UsageError("give --code, from camrigctl pair on the rig, or --ask, for a paired monitor to decide")
    }
    let code = Terminal.ask("Code, from camrigctl pair on the rig (empty: ask a paired monitor): ")
    return code.isEmpty ? try askMonitors(introduction) : try introduction.pair(code: code, name: Self.ownName)
  }

  private func askMonitors(_ introduction: RigIntroduction) throws -> RigIntroduction.Pairing {
    let asked = try introduction.ask(name: Self.ownName)
    Terminal.say(
      "A paired monitor now decides. It must show the same digits: \(asked.check)\n"
        + "On the rig itself: camrigctl monitors approve \(asked.check)")
    while true {
      switch try introduction.outcome(of: asked) {
      case .paired(let pairing): return pairing
      case .denied: throw NotLetIn("\(address) was asked, and a paired monitor has said no.")
      case .expired: throw NotLetIn("No paired monitor has decided in time. Ask again, or use a code: camrigctl pair")
      // The rig tells it to nobody by itself.
      case .waiting: sleep(2)
      }
    }
  }

  /// What the rig lists this user as.
  private static var ownName: String {
    let user = Environment.process["USER"] ?? "user \(getuid())"
    return "camrigctl of \(user) on \(HostName.current)"
  }
}

/// Nobody has let this user in, or the user has thought better of it.
struct NotLetIn: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Where another rig answers than the one that was paired with.
struct ChangedRig: Error, CustomStringConvertible {
  let name: String
  let address: RigAddress
  let expected: CertificateFingerprint
  let seen: CertificateFingerprint

  var description: String {
    """
    ANOTHER FINGERPRINT at \(address), where \(name) was.
      expected  \(expected.grouped)
      shown     \(seen.grouped)
    Somebody may be in between. Nothing was sent. If the rig was set up anew: camrigctl rigs forget \(address), then \
    connect again.
    """
  }
}
