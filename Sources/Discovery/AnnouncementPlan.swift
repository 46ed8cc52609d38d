import CamrigModel

/// When the rig is registered with avahi, and under which name. It wants its own name each time anew; only where another
/// in the network has that does it take the next one, until avahi starts again or the rig is called otherwise.
package struct AnnouncementPlan {
  package enum Event: Hashable, Sendable {
    /// What the rig wants to be known by; nil: nothing.
    case wish(RigAnnouncement?)
    /// D-Bus is there, avahi is not.
    case daemonAbsent
    /// Avahi looks for a name for the machine; what was registered does not count any more.
    case hostUnsettled
    case hostSettled(String)
    /// There is no connection, or no longer.
    case lost(String)
    /// The pause is over.
    case due
    case established
    case collision
    /// Avahi does not want what we registered.
    case refused(String)
  }

  package enum Step: Hashable, Sendable {
    case connect
    /// What was registered ends with it.
    case disconnect
    case pause(Duration)
    /// In place of what was registered before.
    case register(name: String, RigAnnouncement)
    case withdraw
    /// For the log.
    case say(String)
  }

  private struct Registration {
    var host: String
    var name: String
    var renames = 0
  }

  private enum State {
    case off
    /// Until the pause is over.
    case apart(failures: Int)
    case connecting(failures: Int)
    case withoutDaemon
    case hostUnsettled
    case registering(Registration)
    case announced(Registration)
    case refused(host: String, why: String)
  }

  /// Beyond it nothing in the network makes sense.
  private static let mostRenames = 50
  private static let longestPause = Duration.seconds(60)

  private var state = State.off
  private var wanted: RigAnnouncement?
  private var hasSaidAbsent = false
  /// As what it was announced when the log last heard of it.
  private var lastSaid = ""
  /// The next name where one is taken: "Stage", "Stage #2", "Stage #3".
  private let alternative: @Sendable (String) -> String

  package init(alternative: @escaping @Sendable (String) -> String) { self.alternative = alternative }

  package mutating func next(_ event: Event) -> [Step] {
    switch event {
    case .wish(let wish): return wish == wanted ? [] : want(wish)
    case .daemonAbsent:
      guard isConnected else { return [] }
      state = .withoutDaemon
      return sayAbsent()
    case .hostUnsettled:
      guard isConnected else { return [] }
      state = .hostUnsettled
      return [.withdraw]
    case .hostSettled(let host):
      guard isConnected, let wanted else { return [] }
      return register(Registration(host: host, name: wanted.instance), wanted)
    case .lost(let why): return lose(why)
    case .due:
      guard case .apart(let failures) = state else { return [] }
      state = .connecting(failures: failures)
      return [.connect]
    case .established: return establish()
    case .collision: return rename()
    case .refused(let why):
      guard case .registering(let registration) = state else { return [] }
      return refuse(registration, "avahi-daemon does not announce the rig: \(why)")
    }
  }

  package var status: AnnouncementStatus? {
    switch state {
    case .off: nil
    case .apart: AnnouncementStatus(message: Self.absent)
    case .connecting(let failures): AnnouncementStatus(message: failures == 0 ? "" : Self.absent)
    case .withoutDaemon: AnnouncementStatus(message: Self.absent)
    case .hostUnsettled: AnnouncementStatus()
    case .registering(let registration): AnnouncementStatus(host: registration.host)
    case .announced(let registration):
      AnnouncementStatus(
        name: registration.name, host: registration.host,
        message: registration.renames == 0 ? "" : Self.taken(wanted?.instance ?? "", registration.name))
    case .refused(let host, let why): AnnouncementStatus(host: host, message: why)
    }
  }

  private static let absent =
    "avahi-daemon does not run, so others find this rig by its address only. To have it found by name: "
    + "apt install avahi-daemon"

  private static func taken(_ wish: String, _ name: String) -> String {
    "another in this network is called \"\(wish)\"; this rig is announced as \"\(name)\". Give it a Name= of its own "
      + "below [Rig]"
  }

  // MARK: What follows

  /// Else what is heard is of a connection that was given up.
  private var isConnected: Bool {
    switch state {
    case .off, .apart: false
    case .connecting, .withoutDaemon, .hostUnsettled, .registering, .announced, .refused: true
    }
  }

  private mutating func want(_ wish: RigAnnouncement?) -> [Step] {
    let former = wanted
    wanted = wish
    guard let wish else {
      state = .off
      lastSaid = ""
      return [.disconnect]
    }
    switch state {
    case .off:
      state = .connecting(failures: 0)
      return [.connect]
    case .apart, .connecting, .withoutDaemon, .hostUnsettled: return []
    case .registering(var registration), .announced(var registration):
      if former?.instance != wish.instance {
        registration.name = wish.instance
        registration.renames = 0
      }
      return register(registration, wish)
    case .refused(let host, _): return register(Registration(host: host, name: wish.instance), wish)
    }
  }

  private mutating func register(_ registration: Registration, _ wish: RigAnnouncement) -> [Step] {
    state = .registering(registration)
    return [.register(name: registration.name, wish)]
  }

  private mutating func establish() -> [Step] {
    guard case .registering(let registration) = state else { return [] }
    state = .announced(registration)
    var text = "the rig is announced in the network as \"\(registration.name)\" at \(registration.host)"
    if registration.renames > 0 { text += ": " + Self.taken(wanted?.instance ?? "", registration.name) }
    return say(text)
  }

  private mutating func rename() -> [Step] {
    switch state {
    case .registering(var registration), .announced(var registration):
      guard let wanted else { return [] }
      registration.renames += 1
      guard registration.renames <= Self.mostRenames else {
        return refuse(
          registration, "\(Self.mostRenames) names were taken in this network, the last of them \(registration.name)")
      }
      registration.name = alternative(registration.name)
      return register(registration, wanted)
    case .off, .apart, .connecting, .withoutDaemon, .hostUnsettled, .refused: return []
    }
  }

  private mutating func refuse(_ registration: Registration, _ why: String) -> [Step] {
    state = .refused(host: registration.host, why: why)
    return [.withdraw] + say(why)
  }

  private mutating func lose(_ why: String) -> [Step] {
    let failures: Int
    let news: [Step]
    switch state {
    case .off, .apart: return []
    case .connecting(let before):
      failures = before + 1
      news = sayAbsent()
    case .withoutDaemon:
      failures = 0
      news = []
    case .hostUnsettled, .registering, .announced, .refused:
      failures = 0
      news = say("avahi-daemon has gone (\(why)); the rig is announced again when it is back")
    }
    state = .apart(failures: failures)
    return [.disconnect, .pause(Self.pause(after: failures))] + news
  }

  /// Where D-Bus is there, a connection tells when avahi comes; only where it is not do we have to try.
  private static func pause(after failures: Int) -> Duration {
    failures == 0 ? .milliseconds(100) : min(longestPause, .seconds(1 << min(failures - 1, 6)))
  }

  // MARK: What is said

  private mutating func sayAbsent() -> [Step] {
    defer { hasSaidAbsent = true }
    return hasSaidAbsent ? [] : [.say(Self.absent)]
  }

  private mutating func say(_ text: String) -> [Step] {
    defer { lastSaid = text }
    return text == lastSaid ? [] : [.say(text)]
  }
}
