/// The index of a whole clip: what `finish()` and repair append.
struct MovieIndex {
  let container: MovieContainer
  let descriptions: [TrackDescription]
  private(set) var tracks: [TrackIndex]
  /// Fragments indexed.
  private(set) var fragmentCount = 0

  init(_ container: MovieContainer, _ descriptions: [TrackDescription]) {
    self.container = container
    self.descriptions = descriptions
    tracks = descriptions.map { TrackIndex($0.media) }
  }

  /// What a fragment adds to a track, its media beginning at `offset`.
  mutating func add(_ samples: [some IndexedSample], track: Int, offset: Int64, time: Int64) {
    tracks[track].beginChunk(offset: offset, time: time)
    for sample in samples {
      tracks[track].addSample(
        duration: UInt32(truncatingIfNeeded: sample.duration), byteCount: UInt32(truncatingIfNeeded: sample.byteCount),
        isKeyframe: sample.isKeyframe)
    }
    tracks[track].endChunk()
  }

  mutating func countFragment() { fragmentCount += 1 }

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
        tables: tracks[place].tables.write)
    }
    MovieBox.write(container, entries, form: .index(fragmentCount: fragmentCount), to: &out)
    return out.bytes
  }

  /// At least the bytes of `movieBox()`, and little more.
  var byteCount: Int {
    var count = 192
    for (place, track) in tracks.enumerated() { count += fixedByteCount(of: place) + track.tables.byteCount }
    return count
  }

  private func fixedByteCount(of track: Int) -> Int {
    switch descriptions[track].media {
    case .mjpeg, .pcm, .aac: 640
    case .h264(_, let sps, let pps):
      640 + sps.reduce(0) { $0 + 2 + $1.count } + pps.reduce(0) { $0 + 2 + $1.count }
    }
  }
}
