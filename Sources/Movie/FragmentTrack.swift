/// What one track gives to a fragment.
package struct FragmentTrack {
  /// Place in the array of tracks that the clip was created with.
  package var track: Int
  /// Ticks of the track since its start. Not before the end of what the track holds already; a picture before a
  /// later one is shown until then.
  package var firstTime: Int64
  package var samples: [FragmentSample]

  package init(track: Int, firstTime: Int64, samples: [FragmentSample]) {
    self.track = track
    self.firstTime = firstTime
    self.samples = samples
  }
}
