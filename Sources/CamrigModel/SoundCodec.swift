/// How sound stands in a clip.
package enum SoundCodec: String, Codable, CaseIterable, Sendable {
  /// Signed 16-bit little-endian.
  case pcm
  /// AAC-LC.
  case aac
}
