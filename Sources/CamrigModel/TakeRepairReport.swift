/// What repair did to one take.
package struct TakeRepairReport: Hashable, Codable, Sendable {
  package struct Clip: Hashable, Codable, Sendable {
    package var file: String
    package var camera: CameraID?
    package var state: ClipRecord.State
    package var frames: UInt64
    /// Bytes at the file's end that belong to no whole fragment.
    package var cutBytes: UInt64
    /// What a person should know; absent if all is well.
    package var problem: String?

    package init(
      file: String, camera: CameraID? = nil, state: ClipRecord.State, frames: UInt64 = 0, cutBytes: UInt64 = 0,
      problem: String? = nil
    ) {
      self.file = file
      self.camera = camera
      self.state = state
      self.frames = frames
      self.cutBytes = cutBytes
      self.problem = problem
    }
  }
  package var take: String
  package var clips: [Clip]
  /// Everything about the take is in order now.
  package var whole: Bool
  /// In a sentence, for the log.
  package var message: String

  package init(take: String, clips: [Clip], whole: Bool, message: String) {
    self.take = take
    self.clips = clips
    self.whole = whole
    self.message = message
  }
}
