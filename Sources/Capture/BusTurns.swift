import CamrigModel
import V4L2

/// When the cameras of an overloaded bus may start again: one after another, so that each finds the bandwidth that the
/// one before has left over, and none keeps another from starting.
package struct BusTurns {
  package enum Trouble: Hashable, Sendable {
    /// The bus had no room for it.
    case full
    case stalled
    /// Nothing came from its start on.
    case silent
  }

  package struct Turn: Hashable, Sendable {
    /// Not before.
    package let time: MediaTime
    /// It is the bus, not this camera alone.
    package let isOverloaded: Bool
    /// The bus carries its cameras for a while only: this one is to take a smaller format.
    package let asksForLess: Bool

    package init(_ time: MediaTime, isOverloaded: Bool, asksForLess: Bool = false) {
      self.time = time
      self.isOverloaded = isOverloaded
      self.asksForLess = asksForLess
    }
  }

  /// How far apart two cameras start on a bus that has no room. A camera in its turn may try as often as it likes.
  private static let length: Duration = .seconds(2)
  /// And after stalls: with room for all of them nobody shall wait for long.
  private static let stallLength: Duration = .milliseconds(700)
  /// Stalls so close together have one cause.
  private static let memory: Duration = .seconds(10)
  /// A bus whose cameras stall again within this time carries too much, however well it goes in between.
  private static let longMemory: Duration = .seconds(180)

  private struct Bus {
    var stalls: [CameraID: Stalls] = [:]
    var turns: [CameraID: MediaTime] = [:]
  }

  private struct Stalls {
    var last: MediaTime
    /// Since it was last asked to take less.
    var count = 0
    /// When it last stalled after pictures. For a while restarts in vain are the same stall, such as that of a hub which
    /// is silent, and no sign that the bus carries too much.
    var worked: MediaTime?
  }

  /// A hub that is silent for longer is taken for a bus without room.
  private static let outage: Duration = .seconds(30)

  private var buses: [String: Bus] = [:]

  package init() {}

  /// - Parameter name: of the bus, as the driver says it for one camera; empty if it does not say it.
  package mutating func next(_ trouble: Trouble, of camera: CameraID, bus name: String, at now: MediaTime) -> Turn {
    guard !name.isEmpty else { return Turn(now, isOverloaded: false) }
    var bus = buses[Self.controller(name)] ?? Bus()
    defer { buses[Self.controller(name)] = bus }
    bus.stalls = bus.stalls.filter { now - $0.value.last < Self.longMemory }
    bus.turns = bus.turns.filter { now - $0.value < Self.length }
    let isOverloaded: Bool
    var isAgain = false
    switch trouble {
    case .full: isOverloaded = true
    case .stalled, .silent:
      var stalls = bus.stalls[camera] ?? Stalls(last: now)
      stalls.last = now
      if trouble == .stalled || stalls.worked.map({ now - $0 > Self.outage }) != false { stalls.count += 1 }
      if trouble == .stalled { stalls.worked = now }
      bus.stalls[camera] = stalls
      isAgain = bus.stalls.count > 1 && stalls.count > 1
      if isAgain { bus.stalls[camera] = Stalls(last: now) }
      isOverloaded = bus.stalls.values.count { now - $0.last < Self.memory } > 1 || isAgain
    }
    let length = trouble == .full || isAgain ? Self.length : Self.stallLength
    let turn = bus.turns[camera] ?? bus.turns.values.max().map { max(now, $0 + length) } ?? now
    bus.turns[camera] = turn
    return Turn(turn, isOverloaded: isOverloaded, asksForLess: isAgain)
  }

  /// `usb-0000:00:14.0` of `usb-0000:00:14.0-1.2`: the socket is of no matter.
  static func controller(_ bus: String) -> String {
    guard isUSB(bus), let dash = bus.lastIndex(of: "-"), dash > bus.index(bus.startIndex, offsetBy: 3)
    else { return bus }
    return String(bus[..<dash])
  }
}
