/// The index of a whole clip: what `finish()` and repair append.
struct MovieIndex {
  let container: MovieContainer
  let descriptions: [TrackDescription]
  var tracks: [TrackIndex]

  init(_ container: MovieContainer, _ descriptions: [TrackDescription]) {
    self.container = container
    self.descriptions = descriptions
    tracks = descriptions.map { TrackIndex($0.media) }
  }

  /// Microseconds of the clip's timeline before the first sample of a track.
  func start(of track: Int) -> Int64 {
    descriptions[track].start &+ descriptions[track].microseconds(tracks[track].firstTime)
  }

  /// The `moov` box. It does not depend on where it will stand.
  func movieBox() -> [UInt8] {
    var out = BoxWriter()
    out.reserve(byteCount)
    let entries = tracks.indices.map { place in
      MovieBox.Track(
        description: descriptions[place], start: start(of: place), duration: tracks[place].duration,
        tables: tracks[place].writeTables)
    }
    MovieBox.write(container, entries, fragmented: false, to: &out)
    return out.bytes
  }

  /// At least the bytes of `movieBox()`, and little more.
  var byteCount: Int {
    var count = 128
    for (place, track) in tracks.enumerated() { count += fixedByteCount(of: place) + track.tableByteCount }
    return count
  }

  private func fixedByteCount(of track: Int) -> Int {
    switch descriptions[track].media {
    case .mjpeg, .pcm: 640
    case .h264(_, let sps, let pps):
      640 + sps.reduce(0) { $0 + 2 + $1.count } + pps.reduce(0) { $0 + 2 + $1.count }
    }
  }
}
