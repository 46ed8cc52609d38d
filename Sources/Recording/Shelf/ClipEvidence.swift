import CamrigModel
import FoundationEssentials
import Movie

/// What a clip's file says of itself, whatever `take.json` says.
struct ClipEvidence {
  let file: String
  let note: ClipNote
  let movie: MovieFile
  /// Of the whole fragments, in their order; nil where a whole fragment has no note of ours.
  let fragments: [FragmentNote?]

  enum Finding {
    case clip(ClipEvidence)
    /// Not a clip of camrig's.
    case foreign
    /// Its name is a clip's, but it cannot be read.
    case unreadable(String)
  }

  static func read(_ file: String, folder: String, wait: VolumeWait) -> Finding {
    let movie: MovieFile
    do throws(MovieError) {
      movie = try MovieReader.read(folder + "/" + file, wait: wait)
    } catch {
      return .unreadable(error.description)
    }
    if case .damaged(let why) = movie.state { return .unreadable(why) }
    guard let bytes = movie.clipNote else { return .unreadable("\(file) has lost its header") }
    // A movie of another program, or of another purpose.
    guard let note = try? JSONDecoder().decode(ClipNote.self, from: Data(bytes)) else { return .foreign }
    return .clip(
      ClipEvidence(
        file: file, note: note, movie: movie,
        fragments: movie.fragments.filter(\.checksumHolds).map { FragmentNote($0.note) }))
  }

  /// Names of files that can be clips.
  static func candidates(_ folder: String) throws(RecordingError) -> [String] {
    try Folder.list(folder).filter(isCandidate).sorted()
  }

  static func isCandidate(_ name: String) -> Bool {
    (name.hasSuffix(".mov") || name.hasSuffix(".mp4")) && !name.hasPrefix(".")
  }

  var runs: [RunAccount] {
    var ledger = Ledger()
    for case let note? in fragments { note.enter(into: &ledger) }
    return ledger.runs
  }

  var lost: [Loss] { fragments.compactMap(\.self).flatMap(\.lost) }

  /// As the file says.
  func record(_ state: ClipRecord.State, note text: String? = nil) -> ClipRecord {
    let samples = movie.tracks.first?.samples ?? []
    let end = samples.last.map { $0.time + $0.duration } ?? 0
    return ClipRecord(
      file: file, number: note.clip, state: state, format: note.format, encoder: note.encoder, anchor: note.anchor,
      firstTime: note.firstTime, lastTime: note.firstTime + .microseconds(samples.last?.time ?? 0),
      frames: UInt64(samples.count), bytes: UInt64(movie.byteCount), fragments: UInt64(fragments.count),
      durationSeconds: Double(end) / 1_000_000, runs: runs, microphones: microphones, note: text)
  }

  /// The tracks of sound, as far as they are in the file; nil if there are none.
  var microphones: [ClipMicrophone]? {
    note.microphones?.map { microphone in
      var microphone = microphone
      guard movie.tracks.indices.contains(microphone.track) else { return microphone }
      let track = movie.tracks[microphone.track]
      let end = track.samples.last.map { $0.time + $0.duration } ?? 0
      let samples = max(0, end - track.media.priming)
      microphone.samples = UInt64(samples)
      // A crash may have left silence declared whose sound was still in an encoder.
      let silences = fragments.compactMap(\.self).flatMap(\.sounds).filter { $0.track == microphone.track }
        .flatMap(\.silences).compactMap { $0.part(in: 0..<samples) }
      microphone.silence = silences.byCause
      return microphone
    }
  }
}
