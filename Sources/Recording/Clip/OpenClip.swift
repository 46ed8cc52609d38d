import CamrigModel
import Movie

/// The clip that a recorder writes to. Used by the recorder's thread alone, until `finish` hands the movie on.
final class OpenClip {
  let movie: MovieWriter
  let syncer: ClipSyncer
  var record: ClipRecord
  let sounds: [SoundTrack]
  /// End of the last picture written, in ticks.
  private(set) var endTick: Int64 = 0
  private var ledger = Ledger()

  init(movie: MovieWriter, syncer: ClipSyncer, record: ClipRecord, sounds: [SoundTrack]) {
    self.movie = movie
    self.syncer = syncer
    self.record = record
    self.sounds = sounds
  }

  func track(of line: MicrophoneLine) -> SoundTrack? { sounds.first { $0.line === line } }

  /// Microseconds since the clip's first picture, never before `earliest`.
  func tick(_ time: MediaTime, earliest: Int64) -> Int64 {
    max((time.nanoseconds &- record.firstTime.nanoseconds) / 1000, earliest)
  }

  func wrote(_ note: FragmentNote, _ gathered: [GatheredSound], last: MediaTime, endTick: Int64) {
    for sound in gathered { sounds[sound.track - 1].wrote(sound) }
    if !sounds.isEmpty { record.microphones = sounds.map(\.record) }
    self.endTick = endTick
    note.enter(into: &ledger)
    record.runs = ledger.runs
    record.frames &+= note.writtenCount
    record.fragments &+= 1
    record.lastTime = last
    record.bytes = UInt64(movie.byteCount)
    record.durationSeconds = Double(endTick) / 1_000_000
  }
}
