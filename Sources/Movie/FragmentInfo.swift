/// A fragment found in a file, whole in its structure.
package struct FragmentInfo: Hashable, Sendable {
  /// From 0, as the writer counted.
  package let index: Int
  package let offset: Int64
  package let byteCount: Int64
  /// If not, the fragment does not count: its media is not what was written.
  package let checksumHolds: Bool
  /// What the writer's owner gave with it; empty if the checksum does not hold.
  package let note: [UInt8]
  /// For each track of the clip; PCM counts its frames.
  package let sampleCounts: [Int]
  /// For each track of the clip: ticks of its samples in it.
  package let lengths: [Int64]
}
