/// A track as it was found in a file.
package struct TrackContent: Hashable, Sendable {
  package let media: TrackMedia
  /// Ticks a second of the samples' times.
  package let timescale: Int
  /// Microseconds of the clip's timeline before the track's first tick.
  package let start: Int64
  package let samples: [SampleInfo]
}
