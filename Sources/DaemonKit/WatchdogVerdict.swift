import CamrigModel

/// Whether the service deserves to live: each of its workers has moved within its own limit.
package struct WatchdogVerdict: Sendable {
  private var stuck: Set<String> = []

  package struct Step: Hashable, Sendable {
    package var feed: Bool
    /// Said once for each time that a worker gets stuck, or moves again.
    package var reports: [String]

    package init(feed: Bool, reports: [String]) {
      self.feed = feed
      self.reports = reports
    }
  }

  package init() {}

  package mutating func next(_ heartbeats: [Heartbeat], at now: MediaTime) -> Step {
    var step = Step(feed: true, reports: [])
    var stuckNow: Set<String> = []
    for heartbeat in heartbeats {
      guard let time = heartbeat.overdue(at: now) else { continue }
      stuckNow.insert(heartbeat.name)
      step.feed = false
      if !stuck.contains(heartbeat.name) {
        let seconds = max(1, Int(time.inSeconds.rounded()))
        step.reports.append(
          "\(heartbeat.name) does not move: \(seconds) s beyond its limit. "
            + "Unless it does, systemd restarts the service.")
      }
    }
    for name in stuck.subtracting(stuckNow).sorted() { step.reports.append("\(name) moves again.") }
    stuck = stuckNow
    return step
  }
}
