import CamrigModel

/// Reads a clip back, finished or not, and proves its fragments.
package enum MovieReader {
  /// How much of a finished file is read. An unfinished one is always read whole.
  package enum Depth: Sendable {
    /// Header and index.
    case index
    /// All fragments too, each against its checksum.
    case fragments
  }

  /// What stands at `path`. Throws only what the system answers; a file that is no clip has the state `.damaged`.
  /// - Parameter wait: times each call to the volume.
  package static func read(
    _ path: String, depth: Depth = .fragments, wait: VolumeWait = VolumeWait()
  ) throws(MovieError) -> MovieFile {
    let input = try MovieInput(path, wait: wait)
    guard let front = try MovieFront.read(input) else {
      return nothing(input, "\(path) is not a clip of camrig, or its beginning is gone")
    }
    var index: FoundIndex?
    if let offset = front.indexOffset { index = try FoundIndex.read(input, at: offset, front) }
    let header = try MovieHeader.read(input, front)
    if let index, let indexOffset = front.indexOffset {
      return try finished(input, header, index, at: indexOffset, depth)
    }
    guard let header else { return nothing(input, "\(path): the header in front of the first fragment is damaged") }
    return try unfinished(input, front, header)
  }

  /// Without a header the fragments cannot be proven; players need the index alone.
  private static func finished(
    _ input: MovieInput, _ header: MovieHeader?, _ index: FoundIndex, at offset: Int64, _ depth: Depth
  ) throws(MovieError) -> MovieFile {
    let indexEnd = offset + index.byteCount
    var holes: [MovieHole] = []
    var scan: FragmentScan?
    if depth == .fragments, let header {
      let found = try FragmentScan(input, header, limit: offset)
      holes = found.holes + [found.tail(upTo: offset)].compactMap { $0 }
      scan = found
    }
    if indexEnd < input.byteCount { holes.append(MovieHole(bytes: indexEnd..<input.byteCount, time: 0..<0)) }
    return MovieFile(
      state: .finished, byteCount: input.byteCount, tracks: tracks(index), clipNote: header?.note,
      fragments: scan?.fragments ?? [], holes: holes,
      agreesWithFragments: depth == .index ? nil : scan?.index.says(index) ?? false)
  }

  private static func unfinished(
    _ input: MovieInput, _ front: MovieFront, _ header: MovieHeader
  ) throws(MovieError) -> MovieFile {
    let scan = try FragmentScan(input, header, limit: input.byteCount)
    var state = MovieFile.State.recording
    var tail = scan.tail(upTo: input.byteCount)
    if front.lead != .open {
      state = .indexLost
    } else if scan.index.fragmentCount == 0 {
      state = .noFragments
    } else if let index = try FoundIndex.read(input, at: scan.end, front), scan.index.says(index),
      scan.end + index.byteCount == input.byteCount
    {
      state = .indexed
      tail = nil
    }
    return MovieFile(
      state: state, byteCount: input.byteCount, tracks: tracks(header, scan.index), clipNote: header.note,
      fragments: scan.fragments, holes: scan.holes + [tail].compactMap { $0 },
      agreesWithFragments: state == .indexed ? true : nil)
  }

  private static func nothing(_ input: MovieInput, _ reason: String) -> MovieFile {
    MovieFile(
      state: .damaged(reason), byteCount: input.byteCount, tracks: [], clipNote: nil, fragments: [], holes: [],
      agreesWithFragments: nil)
  }

  private static func tracks(_ index: FoundIndex) -> [TrackContent] {
    zip(index.descriptions, index.tables).map { description, tables in
      TrackContent(
        media: description.media, timescale: description.timescale, start: description.start,
        samples: tables.samples(firstTime: 0))
    }
  }

  private static func tracks(_ header: MovieHeader, _ index: MovieIndex) -> [TrackContent] {
    zip(header.tracks, index.tracks).map { description, track in
      TrackContent(
        media: description.media, timescale: description.timescale, start: description.start,
        samples: track.tables.samples(firstTime: track.firstTime))
    }
  }
}

extension MovieIndex {
  /// Whether `found` is the index of the same samples.
  func says(_ found: FoundIndex) -> Bool {
    let sameTracks = descriptions.indices.allSatisfy { place in
      place < found.descriptions.count && found.descriptions[place].media == descriptions[place].media
        && found.descriptions[place].start == start(of: place) && found.tables[place] == tracks[place].tables
    }
    return sameTracks && found.descriptions.count == descriptions.count
  }
}
