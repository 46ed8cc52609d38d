import CamrigModel

/// A piece of a microphone's sound. Immutable.
package final class SoundBlock: Sendable {
  /// Which run of the stream, see `SoundRun.number`.
  package let run: Int
  /// Where it begins, counted in sample frames (one value for each channel) from the run's start; what was lost counts.
  package let position: Int64
  /// When its first sample frame was at the microphone, on the rig's clock. Smoothed over many blocks by whoever
  /// captured them, so that it says how fast the microphone's own clock really goes.
  package let presentationTime: MediaTime
  package let channels: Int
  /// Interleaved, full scale ±1.
  package let samples: [Float]

  package init(run: Int, position: Int64, presentationTime: MediaTime, channels: Int, samples: [Float]) {
    precondition(channels > 0 && samples.count % channels == 0, "a block holds whole sample frames")
    self.run = run
    self.position = position
    self.presentationTime = presentationTime
    self.channels = channels
    self.samples = samples
  }

  /// Sample frames.
  package var count: Int { samples.count / channels }
}
