/// What a microphone delivers.
package struct SoundFormat: Hashable, Sendable, CustomStringConvertible {
  package var sample: SampleFormat
  /// Sample frames a second, as the driver says.
  package var rate: Int
  package var channels: Int
  /// So many of a sample's bits mean something; a card often puts its 16 or 24 into 32.
  package var significantBits: Int

  /// - Parameter significantBits: nil: as many as the format holds.
  package init(_ sample: SampleFormat, rate: Int, channels: Int, significantBits: Int? = nil) {
    self.sample = sample
    self.rate = rate
    self.channels = channels
    self.significantBits = min(significantBits ?? 32, sample.significantBits)
  }

  package var frameBytes: Int { sample.byteCount * channels }

  package var description: String { "\(sample.rawValue) \(rate) Hz \(channels) ch" }
}

/// What is asked of a device; it grants what comes nearest to it.
package struct SoundWish: Hashable, Sendable {
  package var rate = 48000
  package var channels = 2
  /// How much sound comes at once.
  package var period: Duration = .milliseconds(20)
  /// How long nobody may fetch it before sound is lost.
  package var buffer: Duration = .seconds(1)

  package init() {}
}
