import CamrigModel

/// The monitors that may operate the rig, by their tokens. In JSON as it is kept.
package struct PairedMonitors: Codable, Hashable, Sendable {
  package static let most = 256
  package static let longestName = 64

  package private(set) var monitors: [PairedMonitor] = []
  private var next = 1

  package init() {}

  /// Nil where there are `most` already: revoke some.
  package mutating func add(
    _ name: String, _ role: AccessRole, token: AccessToken, at now: WallTime
  ) -> PairedMonitor? {
    guard monitors.count < Self.most else { return nil }
    let monitor = PairedMonitor(
      id: next, name: Self.shown(name), role: role, tokenHash: token.hash, paired: now, lastSeen: nil)
    next += 1
    monitors.append(monitor)
    return monitor
  }

  /// Whose token it is. Compared by hash, of which nobody can choose the beginning: time tells nothing.
  package func monitor(withToken text: String) -> PairedMonitor? {
    let hash = AccessToken.hash(of: text)
    return monitors.first { $0.tokenHash == hash }
  }

  /// True where it is news that must be kept.
  package mutating func saw(_ id: Int, at now: WallTime) -> Bool {
    guard let index = monitors.firstIndex(where: { $0.id == id }) else { return false }
    let hour = WallTime(nanoseconds: now.nanoseconds - now.nanoseconds % 3_600_000_000_000)
    guard monitors[index].lastSeen != hour else { return false }
    monitors[index].lastSeen = hour
    return true
  }

  /// The one that is gone; its connections are to be closed.
  package mutating func revoke(_ id: Int) -> PairedMonitor? {
    monitors.firstIndex { $0.id == id }.map { monitors.remove(at: $0) }
  }

  /// True where there is such a monitor.
  package mutating func rename(_ id: Int, _ name: String) -> Bool {
    guard let index = monitors.firstIndex(where: { $0.id == id }) else { return false }
    monitors[index].name = Self.shown(name)
    return true
  }

  /// One line without control characters, so that it can stand in a list and a log.
  static func shown(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { scalar in
      // Nor what turns the text behind it round.
      let isPlain = scalar.properties.generalCategory != .control && !scalar.properties.isBidiControl
      return isPlain && !scalar.properties.isWhitespace ? scalar : " "
    }
    let words = String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
    return words.isEmpty ? "unnamed" : String(words.prefix(longestName))
  }
}
