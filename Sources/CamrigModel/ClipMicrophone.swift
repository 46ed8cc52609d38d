/// A microphone's track in a clip.
package struct ClipMicrophone: Hashable, Codable, Sendable {
  package var id: MicrophoneID
  package var name: String
  /// The place of its track in the movie; 0 is the pictures'.
  package var track: Int
  package var codec: SoundCodec
  /// Sample frames a second.
  package var rate: Int
  package var channels: Int
  /// 24 where they are; absent: 16, or what AAC makes of it.
  package var bits: Int?
  /// What was added to its time stamps, as chosen; absent if nothing.
  package var offsetSeconds: Double?
  /// Sample frames in the clip, silence included.
  package var samples: UInt64
  /// Sample frames of them that the microphone did not give.
  package var silence: [SilenceCause: UInt64]

  package init(
    id: MicrophoneID, name: String, track: Int, codec: SoundCodec, rate: Int, channels: Int, bits: Int? = nil,
    offsetSeconds: Double? = nil, samples: UInt64 = 0, silence: [SilenceCause: UInt64] = [:]
  ) {
    self.id = id
    self.name = name
    self.track = track
    self.codec = codec
    self.rate = rate
    self.channels = channels
    self.bits = bits
    self.offsetSeconds = offsetSeconds
    self.samples = samples
    self.silence = silence
  }
}
