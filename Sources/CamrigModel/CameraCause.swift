/// Why a camera gives no pictures, or not those that were asked for: the word for programs beside the sentence for
/// people.
package enum CameraCause: String, Codable, CaseIterable, Sendable {
  case unplugged
  /// It is plugged in and gone again within seconds, over and over.
  case comesAndGoes
  /// Switched off by the user.
  case disabled
  /// Another program holds it.
  case inUse
  /// The service may not open its node.
  case noPermission
  /// Its USB bus has no room for it, or not for the format that was asked for.
  case noBandwidth
  /// A capture card whose input carries no signal, or none that it can follow.
  case noSignal
  /// It is open, and no picture comes.
  case stalled
  /// It offers no picture format, or none that camrig records.
  case noUsableFormat
  /// The driver answers with an error.
  case deviceError
  /// Pictures come, and many of them are damaged.
  case spoiltPictures
  /// Pictures come that nobody can decode.
  case undecodable
  /// Pictures come in another format than the one that was asked for.
  case otherFormat
}
