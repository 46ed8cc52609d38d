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
    guard let edits = readEdits(trak), let mdia = trak.first("mdia"), var mdhd = mdia.first("mdhd"),
      mdhd.versionAndFlags() == 1 << 24, mdhd.skip(16), let timescale = mdhd.u32(),
      let stbl = mdia.first("minf")?.first("stbl"), let stsd = stbl.first("stsd"),
      let media = SampleDescription.read(stsd, priming: edits.priming)
    else { return nil }
    let description = TrackDescription(media: media, start: edits.start)
    guard media.priming == Int64(edits.priming), Int(timescale) == description.timescale else { return nil }
    return FoundTrack(description: description, tables: stbl)
  }

  private static func readEdits(_ trak: BoxReader) -> (start: Int64, priming: Int)? {
    guard let edts = trak.first("edts") else { return (0, 0) }
    guard var elst = edts.first("elst"), elst.versionAndFlags() == 1 << 24, let count = elst.u32(),
      (1...2).contains(count)
    else { return nil }
    var start: Int64 = 0
    if count == 2 {
      guard let length = elst.i64(), elst.i64() == -1, elst.skip(4), length > 0, length < 1 << 60 else { return nil }
      start = length
    }
    guard elst.i64() != nil, let priming = elst.i64(), (0...65535).contains(priming), start > 0 || priming > 0
    else { return nil }
    return (start, Int(priming))
  }
}
