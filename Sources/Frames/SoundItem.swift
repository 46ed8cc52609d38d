import CamrigModel

/// What a microphone's stream says, in order. Within a run every sample frame is either in a `block` or in one `lost`.
package enum SoundItem: Sendable {
  case started(SoundRun)
  case block(SoundBlock)
  case lost(SoundLoss)
  case ended(StreamEnd)
}

/// One unbroken run of a microphone's stream.
package struct SoundRun: Hashable, Codable, Sendable {
  /// Counts the runs of a microphone since the daemon started, from 1.
  package let number: Int
  /// Sample frames a second by the microphone's own clock: as the driver says, or as measured where it gives quite
  /// another rate.
  package let rate: Int
  /// As the driver says.
  package let statedRate: Int
  package let channels: Int
  /// Of each sample, as far as they mean something: 16 or 24.
  package let bits: Int
  package let time: MediaTime

  package init(
    number: Int, rate: Int, statedRate: Int? = nil, channels: Int, bits: Int = 16, time: MediaTime
  ) {
    self.number = number
    self.rate = rate
    self.statedRate = statedRate ?? rate
    self.channels = channels
    self.bits = bits
    self.time = time
  }
}

/// Sample frames that are missing, in exact number.
package struct SoundLoss: Hashable, Codable, Sendable {
  package enum Cause: String, Codable, CaseIterable, Sendable {
    /// Nobody fetched them from the driver in time.
    case xrun
    /// A reader was too slow for its bounded queue.
    case queueOverflow
  }

  package let cause: Cause
  package let run: Int
  /// As `SoundBlock.position`.
  package let position: Int64
  package let count: Int64
  /// When the first of them would have been at the microphone.
  package let time: MediaTime

  package init(cause: Cause, run: Int, position: Int64, count: Int64, time: MediaTime) {
    self.cause = cause
    self.run = run
    self.position = position
    self.count = count
    self.time = time
  }
}
