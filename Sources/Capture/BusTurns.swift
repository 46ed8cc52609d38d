import CamrigModel

/// When the cameras of an overloaded bus may start again: one after another, so that each finds the bandwidth that the
/// one before has left over, and none keeps another from starting.
package struct BusTurns {
  package enum Trouble: Hashable, Sendable {
    /// The bus had no room for it.
    case full
    case stalled
  }

  package struct Turn: Hashable, Sendable {
    /// Not before.
    package let time: MediaTime
    /// It is the bus, not this camera alone.
    package let isOverloaded: Bool

    package init(_ time: MediaTime, isOverloaded: Bool) {
      self.time = time
      self.isOverloaded = isOverloaded
    }
  }

  /// How far apart two cameras start on a bus that has no room. A camera in its turn may try as often as it likes.
  private static let length: Duration = .seconds(2)
  /// And after stalls: with room for all of them nobody shall wait for long.
  private static let stallLength: Duration = .milliseconds(700)
  /// Stalls so close together have one cause.
  private static let memory: Duration = .seconds(10)

  private struct Bus {
    var stalls: [CameraID: MediaTime] = [:]
    var turns: [CameraID: MediaTime] = [:]
  }

  private var buses: [String: Bus] = [:]

  package init() {}

  /// - Parameter name: of the bus, as the driver says it for one camera; empty if it does not say it.
  package mutating func next(_ trouble: Trouble, of camera: CameraID, bus name: String, at now: MediaTime) -> Turn {
    guard !name.isEmpty else { return Turn(now, isOverloaded: false) }
    var bus = buses[Self.controller(name)] ?? Bus()
    defer { buses[Self.controller(name)] = bus }
    bus.stalls = bus.stalls.filter { now - $0.value < Self.memory }
    bus.turns = bus.turns.filter { now - $0.value < Self.length }
    let isOverloaded: Bool
    switch trouble {
    case .full: isOverloaded = true
    case .stalled:
      bus.stalls[camera] = now
      isOverloaded = bus.stalls.count > 1
    }
    let turn =
      bus.turns[camera] ?? bus.turns.values.max().map {
        max(now, $0 + (trouble == .full ? Self.length : Self.stallLength))
      } ?? now
    bus.turns[camera] = turn
    return Turn(turn, isOverloaded: isOverloaded)
  }

  /// `usb-0000:00:14.0` of `usb-0000:00:14.0-1.2`: the socket is of no matter.
  static func controller(_ bus: String) -> String {
    guard bus.hasPrefix("usb-"), let dash = bus.lastIndex(of: "-"), dash > bus.index(bus.startIndex, offsetBy: 3)
    else { return bus }
    return String(bus[..<dash])
  }
}
