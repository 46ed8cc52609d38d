/// Bytes between or behind whole fragments that are no whole fragment.
package struct MovieHole: Hashable, Sendable {
  package let bytes: Range<Int64>
  /// Microseconds of the clip's timeline for which a track has no samples; empty behind the last fragment, where
  /// nobody can say.
  package let time: Range<Int64>
}
