/// One file of a take from one camera.
package struct ClipRecord: Hashable, Codable, Sendable {
  package enum State: String, Codable, CaseIterable, Sendable {
    case recording
    /// A plain movie with an index.
    case finished
    /// Made whole after a crash.
    case repaired
    /// No fragment of it is whole.
    case empty
    /// Plays up to its last fragment, but could not be finished.
    case unfinished
  }
  /// Name within the take's folder.
  package var file: String
  /// From 1, for each camera.
  package var number: Int
  package var state: State
  package var format: VideoFormat
  /// Of a camera that delivers raw pictures: who encoded them.
  package var encoder: String?
  /// Both clocks as the clip began. Independent of the clip before: an error does not add up.
  package var anchor: ClockAnchor
  /// The movie's time 0.
  package var firstTime: MediaTime
  package var lastTime: MediaTime
  package var frames: UInt64
  package var bytes: UInt64
  package var fragments: UInt64
  /// From the first picture to the end of the last.
  package var durationSeconds: Double
  /// The ledger's part that its fragments tell.
  package var runs: [RunAccount]
  /// Absent if there is none.
  package var microphones: [ClipMicrophone]?
  /// What a person should know of it; absent if nothing.
  package var note: String?

  package init(
    file: String, number: Int, state: State, format: VideoFormat, encoder: String? = nil, anchor: ClockAnchor,
    firstTime: MediaTime, lastTime: MediaTime, frames: UInt64 = 0, bytes: UInt64 = 0, fragments: UInt64 = 0,
    durationSeconds: Double = 0, runs: [RunAccount] = [],
    microphones: [ClipMicrophone]? = nil, note: String? = nil
  ) {
    self.file = file
    self.number = number
    self.state = state
    self.format = format
    self.encoder = encoder
    self.anchor = anchor
    self.firstTime = firstTime
    self.lastTime = lastTime
    self.frames = frames
    self.bytes = bytes
    self.fragments = fragments
    self.durationSeconds = durationSeconds
    self.runs = runs
    self.microphones = microphones
    self.note = note
  }
}
