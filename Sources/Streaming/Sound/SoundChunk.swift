import CamrigModel

/// A fiftieth of a second of a microphone's sound, as all who listen to it get it.
package struct SoundChunk: Hashable, Sendable {
  /// Sample frames a second, whatever the microphone has.
  package static let rate = 48_000
  /// Sample frames of a chunk.
  package static let frames = 960
  /// So many of a microphone's channels are heard, the first ones.
  package static let mostChannels = 2

  /// When its first sample frame was at the microphone.
  package let presentationTime: MediaTime
  package let channels: Int
  /// 16 bits, little-endian, interleaved.
  package let bytes: [UInt8]

  package init(presentationTime: MediaTime, channels: Int, bytes: [UInt8]) {
    self.presentationTime = presentationTime
    self.channels = channels
    self.bytes = bytes
  }
}
