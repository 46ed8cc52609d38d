import CamrigModel
import Capture
import Glibc
import Sound
import TestSupport

/// A card that says 48000 Hz and gives `rate`, as fast as it is fetched, from the clock's present on. The times jitter
/// by up to a millisecond either way.
final class LyingSoundDevice: SoundDevice {
  let node = "/dev/snd/pcmC1D0c"
  let rate: Double
  private let begin: MediaTime
  private let length: Double
  /// What is to be heard, so many seconds after `begin`.
  private let heard: @Sendable (Double) -> Float
  private let opened = Guarded(0)

  init(rate: Double, from begin: MediaTime, seconds: Double, _ heard: @escaping @Sendable (Double) -> Float) {
    self.rate = rate
    self.begin = begin
    length = seconds
    self.heard = heard
  }

  func open() throws(SoundError) -> any OpenSoundDevice {
    // What it gives goes on where the opening before has ended.
    let number = opened.withLock { opened in
      defer { opened += 1 }
      return opened
    }
    return Open(self, from: Double(number) * length)
  }

  func mix(gain: Double?, muted: Bool?) throws(SoundError) -> SoundGain? { nil }

  private final class Open: OpenSoundDevice {
    let format = SoundFormat(.s16, rate: 48_000, channels: 1)
    private let device: LyingSoundDevice
    private let first: Double
    private var count = 0
    private var random = SystemRandomNumberGenerator()

    init(_ device: LyingSoundDevice, from first: Double) {
      self.device = device
      self.first = first
    }

    func start() throws(SoundError) {}
    func stop() {}

    func next(timeout: Duration, wake: Int32) throws(SoundError) -> SoundEvent {
      var entry = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
      let isOver = Double(count) / device.rate >= device.length
      if poll(&entry, 1, isOver ? -1 : 0) > 0 { return .woken }
      let samples = (count..<count + 960).map { device.heard(first + Double($0) / device.rate) }
      count += 960
      let time =
        Int64((first + Double(count) / device.rate) * 1e9) + Int64.random(in: -1_000_000...1_000_000, using: &random)
      return .piece(SoundPiece(samples: samples, stampedFrames: 960, time: device.begin + .nanoseconds(time)))
    }
  }
}
