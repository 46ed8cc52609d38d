import CamrigModel
import Glibc

/// How loud sound is, of each channel: the highest sample and the mean power since the last look.
package struct LevelMeter: Sendable {
  /// dBFS of silence, and of what is no louder.
  package static let floor = -120.0

  private var peak: [Float] = []
  private var power: [Double] = []
  private var frames = 0

  package init() {}

  package mutating func add(_ samples: [Float], channels: Int) {
    if peak.count != channels {
      peak = [Float](repeating: 0, count: channels)
      power = [Double](repeating: 0, count: channels)
      frames = 0
    }
    samples.withUnsafeBufferPointer { samples in
      for channel in 0..<channels {
        var (most, sum) = (peak[channel], Float(0))
        for index in stride(from: channel, to: samples.count, by: channels) {
          let value = samples[index]
          most = max(most, abs(value))
          sum += value * value
        }
        peak[channel] = most
        power[channel] += Double(sum)
      }
    }
    frames += samples.count / channels
  }

  /// Since the last call; nil if nothing has come.
  package mutating func take() -> MicrophoneLevels.Levels? {
    guard frames > 0 else { return nil }
    let levels = MicrophoneLevels.Levels(
      peak: peak.map { Self.decibels(Double($0)) },
      rms: power.map { Self.decibels(($0 / Double(frames)).squareRoot()) })
    (peak, frames) = ([], 0)
    return levels
  }

  private static func decibels(_ value: Double) -> Double {
    guard value > 0 else { return floor }
    return max(floor, (200 * log10(value)).rounded() / 10)
  }
}
