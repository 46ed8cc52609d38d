import CamrigModel

/// Sound as it came from the driver, and what the driver said of its time.
package struct SoundPiece: Sendable {
  /// Interleaved, full scale ±1.
  package var samples: [Float]
  /// The sample frame so many after the first of this piece …
  package var stampedFrames: Int
  /// … was at the microphone at this time.
  package var time: MediaTime

  package init(samples: [Float], stampedFrames: Int, time: MediaTime) {
    self.samples = samples
    self.stampedFrames = stampedFrames
    self.time = time
  }
}
