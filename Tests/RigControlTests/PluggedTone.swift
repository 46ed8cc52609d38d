import CamrigModel
import Capture
import Sound

/// A stereo microphone that hears a test tone, in real time.
struct PluggedTone: SoundDevice {
  let node: String

  func open() throws(SoundError) -> any OpenSoundDevice { Open(tone: try TestToneDevice(number: 1).open()) }
  func mix(gain: Double?, muted: Bool?) throws(SoundError) -> SoundGain? { nil }

  private final class Open: OpenSoundDevice {
    let format = SoundFormat(.float, rate: 48_000, channels: 2, significantBits: 16)
    private let tone: any OpenSoundDevice

    init(tone: any OpenSoundDevice) { self.tone = tone }

    func start() throws(SoundError) { try tone.start() }
    func stop() { tone.stop() }

    func next(timeout: Duration, wake: Int32) throws(SoundError) -> SoundEvent {
      let event = try tone.next(timeout: timeout, wake: wake)
      guard case .piece(var piece) = event else { return event }
      piece.samples = piece.samples.flatMap { [$0, $0] }
      return .piece(piece)
    }
  }
}
