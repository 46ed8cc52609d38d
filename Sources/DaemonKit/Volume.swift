/// The volume of a directory, for those who may not wait for one: what it is asked has three threads of its own and a limit of
/// time, so that one that hangs holds up nobody who wants something of another.
package final class Volume: Sendable {
  /// The directory by which people know it.
  package let path: String
  /// To open, to list, to ask whether something is there. A disk that sleeps needs some seconds to spin up.
  package let questions: VolumeLine
  /// What is read for those who watch and fetch: one piece after the other, so that they do not take the volume from the
  /// recording.
  package let reading: VolumeLine
  /// Proofs, repairs and upkeep read whole takes; more than one at a time would only make each slower.
  package let work: VolumeWork

  package static let readingPatience = Duration.seconds(30)

  package init(_ path: String, patience: Duration = .seconds(10), readingPatience: Duration = Volume.readingPatience) {
    self.path = path
    questions = VolumeLine("camrig.volume.questions", path: path, patience: patience)
    reading = VolumeLine("camrig.volume.reading", path: path, patience: readingPatience)
    work = VolumeWork("camrig.volume.work", path: path, patience: readingPatience)
  }

  /// Something it was asked for has not come in time.
  package var isSilent: Bool { questions.isSilent || reading.isSilent || work.isSilent }

  package var silence: VolumeSilence { VolumeSilence(path: path) }
}
