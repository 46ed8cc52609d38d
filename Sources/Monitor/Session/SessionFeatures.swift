import CamrigModel

/// What a rig has, in words: a monitor offers nothing else. Read off the state, which has nothing that is not there.
enum SessionFeatures {
  /// The member of the state that must not be empty, and the method that must be known.
  private static let table: [(word: String, member: String, method: String)] = [
    ("cameras", "cameras", "camera.select"),
    ("preview", "cameras", "camera.select"),
    ("recording", "cameras", "recording.start"),
    ("controls", "controls", "control.set"),
    ("torch", "torches", "torch.set"),
    ("photo", "cameras", "photo.take"),
    ("timelapse", "cameras", "timelapse.start"),
    ("microphones", "microphones", "microphone.list"),
    ("sound", "microphones", "microphone.list"),
  ]

  static func words(_ state: JSONValue) -> [String] {
    table.filter { state[$0.member]?.asObject?.isEmpty == false && RigMethod(rawValue: $0.method) != nil }.map(\.word)
  }
}
