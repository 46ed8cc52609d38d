/// One picture in a file, or the PCM frames that one fragment holds.
package struct SampleInfo: Hashable, Sendable {
  /// Of its first byte in the file.
  package let offset: Int64
  package let byteCount: Int64
  /// Ticks of the track since the track's start.
  package let time: Int64
  /// Ticks of the track; for PCM the number of PCM frames.
  package let duration: Int64
  package let isKeyframe: Bool
}
