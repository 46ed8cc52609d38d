import CamrigModel
import Codec
import Glibc
import Sound

/// The microphone of a test-pattern camera: a beep in the first tenth of each second of `CLOCK_MONOTONIC`, when the
/// picture's white square lights up. It paces itself on that clock, as a sound card does on its own.
package struct TestToneDevice: SoundDevice {
  package let node: String
  private let clockErrorPPM: Double

  /// - Parameters:
  ///   - number: from 1; stands in its node, `test-tone-1`.
  ///   - clockErrorPPM: how much too fast its clock goes, in millionths: it delivers so many more samples a second,
  ///     and beeps when it should all the same.
  package init(number: Int, clockErrorPPM: Double = 0) {
    node = "test-tone-\(number)"
    self.clockErrorPPM = clockErrorPPM
  }

  package func open() throws(SoundError) -> any OpenSoundDevice {
    OpenTestTone(clock: SystemClock(), clockErrorPPM: clockErrorPPM)
  }

  package func mix(gain: Double?, muted: Bool?) throws(SoundError) -> SoundGain? { nil }
}

package final class OpenTestTone: OpenSoundDevice {
  private static let period: Duration = .milliseconds(20)
  /// What waits for its reader, as in a driver's memory; what comes on top is lost.
  private static let mostBehind: Duration = .seconds(1)

  package let format = SoundFormat(.float, rate: 48000, channels: 1, significantBits: 16)
  private let clock: any RigClock
  /// Sample frames a second by the monotonic clock.
  private let trueRate: Double
  private var begun = MediaTime(nanoseconds: 0)
  private var taken: Int64 = 0

  package init(clock: any RigClock, clockErrorPPM: Double) {
    self.clock = clock
    trueRate = Double(format.rate) * (1 + clockErrorPPM / 1_000_000)
  }

  package func start() throws(SoundError) {
    begun = clock.now
    taken = 0
  }

  package func stop() {}

  package func next(timeout: Duration, wake: Int32) throws(SoundError) -> SoundEvent {
    let ready = time(of: taken + Int64(Double(format.rate) * Self.period.inSeconds))
    let left = ready - clock.now
    if left > .zero {
      var entry = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
      let wait = (min(left, timeout).inNanoseconds + 999_999) / 1_000_000
      if poll(&entry, 1, Int32(clamping: max(0, wait))) > 0 { return .woken }
      if left > timeout { return .timeout }
    }
    let now = clock.now
    let made = Int64((now - begun).inSeconds * trueRate)
    if made - taken > Int64(Self.mostBehind.inSeconds * trueRate) {
      taken = made
      return .interrupted
    }
    guard made > taken else { return .timeout }
    let count = min(made - taken, Int64(format.rate / 10))
    defer { taken += count }
    let samples = (taken..<(taken + count)).map { Self.sample(at: time(of: $0)) }
    return .piece(SoundPiece(samples: samples, stampedFrames: Int(made - taken), time: time(of: made)))
  }

  private func time(of frame: Int64) -> MediaTime {
    begun + .nanoseconds(Int64((Double(frame) / trueRate * 1e9).rounded()))
  }

  /// 1 kHz at -12 dB for 100 ms, beginning with the second.
  package static func sample(at time: MediaTime) -> Float {
    guard TestPattern.isFlashing(at: time) else { return 0 }
    let phase = time.nanoseconds % 1_000_000_000
    return Float(0.25 * sin(2 * Double.pi * 1000 * Double(phase) / 1e9))
  }
}
