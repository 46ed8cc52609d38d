import CamrigModel

/// When each sample frame was at the microphone, out of the driver's timestamps, which come in bursts and jitter by
/// milliseconds: a loop of second order that follows the microphone's own clock. It learns fast at first and slowly
/// later, so that a block's time never jumps while the microphone is as steady as a crystal.
package struct SoundClock: Sendable {
  package enum Verdict: Hashable, Sendable {
    case steady
    /// Far off, once or twice: not believed.
    case ignored
    /// So many sample frames were lost before this one, and nobody has said so. The clock is as it was.
    case lost(Int64)
    /// More sound has come than time has passed: a new run is to begin.
    case restart
  }

  /// Clocks are off by up to 0.1 %, and bad ones by more; what is off by so much has another rate: see `RateMeter`.
  private static let mostDeviation = 0.03
  /// A timestamp that is off by more is an outlier or a loss.
  private static let tolerance = 0.06
  /// For so long a deviation must last to be believed.
  private static let patience = 0.25
  /// Hertz, of the loop.
  private static let (firstBandwidth, lastBandwidth) = (2.0, 0.03)

  package let nominalRate: Int
  /// Position and time, in seconds after `base`, where the loop stands.
  private var base = MediaTime(nanoseconds: 0)
  private var position: Int64 = 0
  private var seconds = 0.0
  /// Of one sample frame, in seconds.
  private var period: Double
  private var began: Int64?
  private var outlyingSince: Double?

  package init(rate: Int) {
    nominalRate = rate
    period = 1 / Double(rate)
  }

  /// Sample frames a second by `CLOCK_MONOTONIC`.
  package var measuredRate: Double { 1 / period }

  /// The driver said that the sample frame `position` was at the microphone at `time`.
  package mutating func observe(_ position: Int64, at time: MediaTime) -> Verdict {
    guard let began else {
      (base, self.position, seconds, self.began) = (time, position, 0, position)
      return .steady
    }
    let frames = position - self.position
    let predicted = seconds + Double(frames) * period
    let error = (time - base).inSeconds - predicted
    if abs(error) > Self.tolerance { return judge(error, at: (time - base).inSeconds) }
    outlyingSince = nil
    guard frames > 0 else { return .steady }
    let step = Double(frames) / Double(nominalRate)
    let age = Double(position - began) / Double(nominalRate)
    let bandwidth = min(Self.firstBandwidth, max(Self.lastBandwidth, 0.4 / max(age, 0.001)))
    let omega = min(2 * Double.pi * bandwidth * step, 0.3)
    // Never back, however far off a timestamp is.
    let correction = max(-step / 4, min(step / 4, 1.414 * omega * error))
    seconds = predicted + correction
    let nominal = 1 / Double(nominalRate)
    period += omega * omega * error / Double(frames)
    period = max(nominal * (1 - Self.mostDeviation), min(nominal * (1 + Self.mostDeviation), period))
    self.position = position
    return .steady
  }

  private mutating func judge(_ error: Double, at now: Double) -> Verdict {
    let since = outlyingSince ?? now
    outlyingSince = since
    guard now - since >= Self.patience else { return .ignored }
    outlyingSince = nil
    return error > 0 ? .lost(Int64((error / period).rounded())) : .restart
  }

  package func time(of position: Int64) -> MediaTime {
    let offset = seconds + Double(position - self.position) * period
    return base + .nanoseconds(Int64((offset * 1e9).rounded()))
  }

  /// Which sample frame was at the microphone at `time`.
  package func position(at time: MediaTime) -> Int64 {
    position + Int64((((time - base).inSeconds - seconds) / period).rounded())
  }
}
