import CamrigModel
import Sound

/// A capture device of ALSA, by its node.
package struct ALSADevice: SoundDevice {
  package let node: String
  private let numbers: PCMNumbers?

  package init(node: String) {
    self.node = node
    numbers = PCMNumbers(node)
  }

  package func open() throws(SoundError) -> any OpenSoundDevice {
    guard let numbers else { throw .unplugged(device: node) }
    return OpenALSADevice(try CapturePCM("hw:\(numbers.card),\(numbers.device)"))
  }

  package func mix(gain: Double?, muted: Bool?) throws(SoundError) -> SoundGain? {
    guard let numbers, let mixer = try CaptureMixer("hw:\(numbers.card)") else { return nil }
    if let gain { try mixer.setGain(gain) }
    if let muted { try mixer.setOn(!muted) }
    return mixer.gain
  }
}

final class OpenALSADevice: OpenSoundDevice {
  private let pcm: CapturePCM
  let format: SoundFormat

  init(_ pcm: CapturePCM) {
    self.pcm = pcm
    format = pcm.format
  }

  func start() throws(SoundError) { try pcm.start() }

  func stop() { pcm.close() }

  func next(timeout: Duration, wake: Int32) throws(SoundError) -> SoundEvent {
    switch try pcm.wait(timeout, wake: wake) {
    case .woken: return .woken
    case .timeout: return .timeout
    case .ready:
      switch try pcm.read() {
      case .piece(let piece): return .piece(piece)
      case .interrupted: return .interrupted
      case .nothing: return .timeout
      }
    }
  }
}
