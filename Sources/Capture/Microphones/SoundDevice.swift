import CamrigModel
import Sound

/// Something that can be opened as a microphone: a capture device of ALSA, or a test tone. The calls may block on sick
/// hardware, so only a thread of its own makes them.
package protocol SoundDevice: Sendable {
  /// `/dev/snd/pcmC1D0c`, `test-tone-1`: where it is now.
  var node: String { get }

  /// Opens it and agrees on a format; starts nothing.
  func open() throws(SoundError) -> any OpenSoundDevice

  /// Sets what is not nil, as near as the device can, and answers what it has then; nil where it has no volume.
  func mix(gain: Double?, muted: Bool?) throws(SoundError) -> SoundGain?
}

/// An open microphone. Used by its capture thread alone.
package protocol OpenSoundDevice: AnyObject {
  var format: SoundFormat { get }

  func start() throws(SoundError)

  /// Stops and closes; never fails. Idempotent.
  func stop()

  /// Waits at most `timeout` for sound, or until `wake` can be read.
  func next(timeout: Duration, wake: Int32) throws(SoundError) -> SoundEvent
}

package enum SoundEvent: Sendable {
  case piece(SoundPiece)
  /// Sound was lost, and the device runs again.
  case interrupted
  case woken
  case timeout
}
