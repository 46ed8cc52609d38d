import CamrigModel

/// What a camera's stream says, in order. A run is from STREAMON (or a reset of the driver's sequence) until
/// the stream ends; within it every sequence number is either in a `frame` or covered by one `lost`.
package enum StreamItem: Sendable {
  case started(StreamRun)
  case frame(Frame)
  case lost(Loss)
  case ended(StreamEnd)
}

/// One unbroken run of a camera's stream.
package struct StreamRun: Hashable, Codable, Sendable {
  /// Counts the runs of a camera since the daemon started, from 1.
  package let number: Int
  /// As granted by the driver.
  package let format: VideoFormat
  package let time: MediaTime

  package init(number: Int, format: VideoFormat, time: MediaTime) {
    self.number = number
    self.format = format
    self.time = time
  }
}

/// Why and when a run ended.
package struct StreamEnd: Hashable, Codable, Sendable {
  package enum Reason: String, Codable, Sendable {
    /// Nobody wanted it any more, or its format was changed.
    case stopped
    case unplugged
    /// No picture came for the stall limit.
    case stalled
    /// The driver's count or clock began anew.
    case reset
    case failed
  }

  package let run: Int
  package let reason: Reason
  /// For people: what went wrong and what to do; empty when `stopped`.
  package let message: String
  package let time: MediaTime

  package init(run: Int, reason: Reason, message: String = "", time: MediaTime) {
    self.run = run
    self.reason = reason
    self.message = message
    self.time = time
  }
}
