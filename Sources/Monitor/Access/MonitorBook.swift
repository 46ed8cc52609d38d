import CamrigModel
import DaemonKit
import Dispatch
import FoundationEssentials
import Glibc
import Pairing

/// Which monitors are paired, kept in a file, and the codes and requests by which others may be. May be used from any
/// thread; what changes is durable when a call returns.
package final class MonitorBook: Sendable {
  struct State {
    var monitors: PairedMonitors
    var codes = PairingCodes()
    var requests = PairingRequests()
    /// Where each was seen last; for people, and forgotten at the end.
    var addresses: [Int: String] = [:]
    var watchers: [@Sendable (Int) -> Void] = []
  }

  private static let largest = 4 << 20

  private let path: String
  let clock: any RigClock
  private let log: Log
  let state: Guarded<State>
  /// Held while the file is written, so that the newest list is what stays in it.
  private let writing = Guarded(())
  private let later = DispatchQueue(label: "camrig.monitors", qos: .utility)

  /// - Parameter path: the file; one that makes no sense is kept beside it, and every monitor has to pair again.
  package init(path: String, clock: any RigClock = SystemClock(), log: Log) {
    self.path = path
    self.clock = clock
    self.log = log
    state = Guarded(State(monitors: Self.read(path, log)))
  }

  // MARK: Pairing

  package enum PairingFailure: Error, Hashable {
    /// Wrong, used, or too old: one answer for all, so that nothing is learnt from it.
    case wrongCode
    /// Too many wrong codes; again after so long.
    case wait(Duration)
    case tooManyMonitors
    case noRandomNumbers
    case notSaved(String)
  }

  /// A code that makes one monitor of that role, for so long.
  package func makeCode(for role: AccessRole) throws(PairingFailure) -> (code: String, life: Duration) {
    let now = clock.now
    guard let code = state.withLock({ $0.codes.issue(role, at: now) }) else { throw .noRandomNumbers }
    return (PairingCodes.grouped(code), PairingCodes.life)
  }

  /// A new monitor and its token, which nobody can ask for again.
  package func pair(
    code: String, name: String, from address: String
  ) throws(PairingFailure) -> (monitor: PairedMonitor, token: String) {
    let now = clock.now
    let role: AccessRole
    switch state.withLock({ $0.codes.redeem(code, from: address, at: now) }) {
    case .accepted(let given): role = given
    case .wrong: throw .wrongCode
    case .tooMany(let time): throw .wait(time)
    }
    return try admit(name, as: role, from: address)
  }

  func admit(
    _ name: String, as role: AccessRole, from address: String
  ) throws(PairingFailure) -> (monitor: PairedMonitor, token: String) {
    let wall = clock.anchor.wall
    guard let token = AccessToken.random() else { throw .noRandomNumbers }
    let monitor = state.withLock { state in
      let added = state.monitors.add(name, role, token: token, at: wall)
      if let added { state.addresses[added.id] = address }
      return added
    }
    guard let monitor else { throw .tooManyMonitors }
    do throws(FileError) {
      try save()
    } catch {
      _ = state.withLock { $0.monitors.revoke(monitor.id) }
      throw .notSaved("\(error)")
    }
    return (monitor, token.text)
  }

  // MARK: Who is it

  /// The monitor with that token. It was seen now.
  package func monitor(token: String, from address: String) -> PairedMonitor? {
    let wall = clock.anchor.wall
    let (found, isNews) = state.withLock { state -> (PairedMonitor?, Bool) in
      guard let found = state.monitors.monitor(withToken: token) else { return (nil, false) }
      state.addresses[found.id] = address
      return (found, state.monitors.saw(found.id, at: wall))
    }
    // When it was seen is for people: neither a full volume nor a slow one keeps the monitor waiting.
    if isNews { later.async { [self] in try? save() } }
    return found
  }

  package var monitors: [PairedMonitor] { state.withLock { $0.monitors.monitors } }

  package func address(of id: Int) -> String? { state.withLock { $0.addresses[id] } }

  /// False: there is none of that ID. Those who watch close its connections.
  package func revoke(_ id: Int) throws(PairingFailure) -> Bool {
    let gone = state.withLock { state in
      // It may have made one for itself.
      state.codes.withdraw()
      state.requests.withdrawApprovals()
      return state.monitors.revoke(id)
    }
    guard let gone else { return false }
    for watcher in state.withLock({ $0.watchers }) { watcher(gone.id) }
    do throws(FileError) {
      try save()
    } catch {
      throw .notSaved("\(error)")
    }
    return true
  }

  /// `watcher` gets the ID of each monitor that is revoked.
  package func onRevoke(_ watcher: @escaping @Sendable (Int) -> Void) {
    state.withLock { $0.watchers.append(watcher) }
  }

  // MARK: The file

  private func save() throws(FileError) {
    try writing.withLock { _ throws(FileError) in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      // Texts and numbers of our own: nothing that could not be encoded.
      guard let data = try? encoder.encode(state.withLock { $0.monitors }) else { return }
      do throws(FileError) {
        try AtomicFile.write(Array(data) + [0x0A], to: path, mode: 0o600)
      } catch {
        log.error("the list of monitors is not saved: \(error)")
        throw error
      }
    }
  }

  private static func read(_ path: String, _ log: Log) -> PairedMonitors {
    do throws(FileError) {
      let bytes = try AtomicFile.read(path, limit: largest)
      if let monitors = try? JSONDecoder().decode(PairedMonitors.self, from: Data(bytes)) { return monitors }
      setAside(path, "makes no sense", log)
    } catch {
      if error.code != ENOENT { setAside(path, "cannot be read (\(error))", log) }
    }
    return PairedMonitors()
  }

  /// Never overwritten, nor is what was set aside before.
  private static func setAside(_ path: String, _ why: String, _ log: Log) {
    var aside = path + ".unreadable"
    var number = 1
    while access(aside, F_OK) == 0, number < 1000 {
      number += 1
      aside = path + ".unreadable-\(number)"
    }
    let isKept = rename(path, aside) == 0
    log.error(
      "\(path) \(why). It is kept\(isKept ? " as \(aside)" : ""), and every monitor has to be paired again.")
  }
}
