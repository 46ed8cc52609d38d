/// What the shutter does now. Never saved.
package struct PhotoStatus: Hashable, Codable, Sendable {
  package struct Countdown: Hashable, Codable, Sendable {
    package var shot: String
    /// When the first picture is due.
    package var at: WallTime
    /// Of the whole timer.
    package var seconds: Int
    package init(shot: String, at: WallTime, seconds: Int) {
      self.shot = shot
      self.at = at
      self.seconds = seconds
    }
  }

  package struct Burst: Hashable, Codable, Sendable {
    package var shot: String
    package var taken: Int
    package var count: Int
    package init(shot: String, taken: Int, count: Int) {
      self.shot = shot
      self.taken = taken
      self.count = count
    }
  }

  /// While a timer runs.
  package var countdown: Countdown?
  /// While one runs.
  package var burst: Burst?
  /// Since the service started.
  package var last: PhotoTaken?

  package init(countdown: Countdown? = nil, burst: Burst? = nil, last: PhotoTaken? = nil) {
    self.countdown = countdown
    self.burst = burst
    self.last = last
  }
}
