import Movie

/// What one microphone gives to a fragment.
struct GatheredSound {
  let track: Int
  /// Of the take's grid, taken from the line.
  let range: Range<Int64>
  /// Counted from the clip's beginning.
  let silences: [Silence]
  /// Ticks of the track.
  let firstTime: Int64
  /// The fragment points into it.
  let pieces: SoundPieces

  var fragment: FragmentTrack { FragmentTrack(track: track, firstTime: firstTime, samples: pieces.samples) }

  var account: FragmentNote.Sound {
    FragmentNote.Sound(track: track, ticks: UInt64(pieces.ticks), silences: silences)
  }
}
