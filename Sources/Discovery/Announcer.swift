import CamrigModel
import DaemonKit

/// Has the rig announced by avahi, on a thread of its own: each word with avahi may take as long as that likes. The
/// thread begins with the first wish.
package final class Announcer: Sendable {
  private struct State {
    var wish: RigAnnouncement?
    var status: AnnouncementStatus?
    var isEnding = false
    var thread: (connection: AvahiConnection, worker: Worker)?
  }

  private let clock: any RigClock
  private let log: Log
  private let changed: @Sendable () -> Void
  private let state = Guarded(State())

  /// - Parameter changed: the status has; called on the announcer's thread.
  package init(clock: any RigClock = SystemClock(), log: Log, changed: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.log = log
    self.changed = changed
  }

  deinit { stop() }

  /// Nil while nothing is to be announced.
  package var status: AnnouncementStatus? { state.withLock { $0.status } }

  /// What others shall find from now on; nil: nothing. Returns at once. Called by one after the other.
  package func announce(_ wish: RigAnnouncement?) {
    let isBeginning = state.withLock { state -> Bool in
      guard !state.isEnding, state.wish != wish else { return false }
      state.wish = wish
      state.thread?.connection.wake()
      return state.thread == nil && wish != nil
    }
    if isBeginning { begin() }
  }

  /// Announces nothing any more. Does not wait for avahi, which may not answer; with the process the connection ends,
  /// and with it what was announced.
  package func stop() {
    state.withLock { state in
      state.isEnding = true
      state.status = nil
      state.thread?.connection.wake()
      state.thread = nil
    }
  }

  private func begin() {
    guard let connection = AvahiConnection() else { return log.error("the rig is not announced: no memory") }
    let loop = Loop(connection, clock, log) { [weak self] in
      self?.order
    } told: { [weak self] in
      self?.tell($0)
    }
    do throws(DaemonError) {
      let worker = try Worker("avahi") { loop.run() }
      state.withLock { $0.thread = (connection, worker) }
      // What was wished meanwhile.
      connection.wake()
    } catch {
      log.error("the rig is not announced: \(error.description)")
    }
  }

  private enum Order { case announce(RigAnnouncement?), end }

  private var order: Order { state.withLock { $0.isEnding ? .end : .announce($0.wish) } }

  private func tell(_ status: AnnouncementStatus?) {
    let isNews = state.withLock { state in
      guard !state.isEnding, state.status != status else { return false }
      state.status = status
      return true
    }
    if isNews { changed() }
  }

  /// What the thread does: hears, asks the plan, carries out.
  private final class Loop: Sendable {
    private let connection: AvahiConnection
    private let clock: any RigClock
    private let log: Log
    /// Nil: the announcer is gone.
    private let order: @Sendable () -> Order?
    private let told: @Sendable (AnnouncementStatus?) -> Void

    init(
      _ connection: AvahiConnection, _ clock: any RigClock, _ log: Log, order: @escaping @Sendable () -> Order?,
      told: @escaping @Sendable (AnnouncementStatus?) -> Void
    ) {
      self.connection = connection
      self.clock = clock
      self.log = log
      self.order = order
      self.told = told
    }

    func run() {
      var plan = AnnouncementPlan(alternative: AvahiConnection.alternative)
      var due: MediaTime?
      while case .announce(let wish)? = order() {
        var events = [AnnouncementPlan.Event.wish(wish)] + connection.take()
        if let time = due, clock.now >= time {
          due = nil
          events.append(.due)
        }
        for event in events {
          for step in plan.next(event) {
            if case .pause(let pause) = step { due = clock.now + pause } else { carryOut(step) }
          }
        }
        told(plan.status)
        connection.wait(due.map { $0 - clock.now })
      }
      connection.disconnect()
    }

    private func carryOut(_ step: AnnouncementPlan.Step) {
      switch step {
      case .connect: connection.connect()
      case .disconnect: connection.disconnect()
      case .register(let name, let announcement): connection.register(name, announcement.services)
      case .withdraw: connection.withdraw()
      case .say(let text): log.notice(text)
      case .pause: break
      }
    }
  }
}
