import CamrigModel

/// Whether a microphone's sound has holes so often that a person should know.
package struct HoleAlarm: Sendable {
  /// So many within the window.
  package static let most = 5
  package static let window: Duration = .seconds(60)

  /// The newest holes.
  private var times: [MediaTime] = []
  private var isRinging = false

  package init() {}

  package mutating func hole(at time: MediaTime) {
    if !rings(at: time) { isRinging = false }
    times.append(time)
    if times.count > Self.most { times.removeFirst() }
    if times.count == Self.most, let first = times.first, time - first <= Self.window { isRinging = true }
  }

  /// Until no hole has come for the whole window: one now and then is the same trouble still.
  package func rings(at now: MediaTime) -> Bool {
    guard isRinging, let last = times.last else { return false }
    return now - last <= Self.window
  }
}
