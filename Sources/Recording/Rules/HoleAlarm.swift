import CamrigModel

/// Whether a microphone's sound has holes so often that a person should know.
package struct HoleAlarm: Sendable {
  /// So many within the window.
  package static let most = 5
  package static let window: Duration = .seconds(60)

  /// The newest holes.
  private var times: [MediaTime] = []

  package init() {}

  package mutating func hole(at time: MediaTime) {
    times.append(time)
    if times.count > Self.most { times.removeFirst() }
  }

  package func rings(at now: MediaTime) -> Bool {
    guard times.count == Self.most, let first = times.first else { return false }
    return now - first <= Self.window
  }
}
