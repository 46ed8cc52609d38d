/// A writer that has not ended within the time that Stop gives it. It is the volume's doing only where a call to the volume
/// has been under way for most of that time; else the volume answers, and the writer itself did not get round to its work.
package struct LateWriter {
  let camera: String
  let directory: String
  /// What Stop gives it.
  let limit: Duration
  /// How long the volume has owed an answer; nil: it owes none.
  let volumeSilent: Duration?

  package init(camera: String, directory: String, limit: Duration, volumeSilent: Duration?) {
    self.camera = camera
    self.directory = directory
    self.limit = limit
    self.volumeSilent = volumeSilent
  }

  package var isOfVolume: Bool { volumeSilent.map { $0 >= limit / 2 } ?? false }

  package var message: String {
    let why =
      isOfVolume
      ? "The volume of \(directory) does not answer"
      : "\(camera)'s clip was not finished within \(limit.components.seconds) s although the volume of \(directory) "
        + "answers: this machine has too much to do. See top"
    let left = "left as it is, playable up to its last whole second, and finished at the next start."
    return isOfVolume ? "\(why): \(camera)'s clip is \(left)" : "\(why). The clip is \(left)"
  }
}
