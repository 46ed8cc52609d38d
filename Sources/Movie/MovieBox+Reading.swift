extension MovieBox {
  /// A track as it stands in a `moov`.
  struct FoundTrack {
    let description: TrackDescription
    let tables: BoxReader
  }

  /// The tracks in the body of a `moov` that we wrote; nil for any other.
  static func read(_ body: BoxReader, _ container: MovieContainer) -> [FoundTrack]? {
    var body = body
    guard body.box("mvhd") != nil else { return nil }
    var tracks: [FoundTrack] = []
    while let trak = body.box("trak") {
      guard tracks.count < MovieHeader.trackLimit, let track = readTrack(trak),
        track.description.objection(in: container) == nil
      else { return nil }
      tracks.append(track)
    }
    return tracks.isEmpty ? nil : tracks
  }

  private static func readTrack(_ trak: BoxReader) -> FoundTrack? {
    guard let start = readStart(trak), let mdia = trak.first("mdia"), var mdhd = mdia.first("mdhd"),
      mdhd.versionAndFlags() == 1 << 24, mdhd.skip(16), let timescale = mdhd.u32(),
      let stbl = mdia.first("minf")?.first("stbl"), let stsd = stbl.first("stsd"),
      let media = SampleDescription.read(stsd)
    else { return nil }
    let description = TrackDescription(media: media, start: start)
    guard Int(timescale) == description.timescale else { return nil }
    return FoundTrack(description: description, tables: stbl)
  }

  private static func readStart(_ trak: BoxReader) -> Int64? {
    guard let edts = trak.first("edts") else { return 0 }
    guard var elst = edts.first("elst"), elst.versionAndFlags() == 1 << 24, elst.u32() == 2, let start = elst.i64(),
      elst.i64() == -1, start > 0, start < 1 << 60
    else { return nil }
    return start
  }
}
