/// The methods of the media socket `/monitor/media`, by their names on the wire. The parameters and results are the
/// types of `MediaMessages.swift`.
package enum MediaMethod: String, CaseIterable, Sendable {
  /// `PreviewStartRequest` → `PreviewStarted`
  case previewStart = "preview.start"
  /// `MediaCredit` → nothing
  case previewCredit = "preview.credit"
  /// `MediaStreamReference` → nothing
  case previewStop = "preview.stop"
  /// `SoundStartRequest` → `SoundStarted`
  case soundStart = "sound.start"
  /// `MediaCredit` → nothing
  case soundCredit = "sound.credit"
  /// `MediaStreamReference` → nothing
  case soundStop = "sound.stop"
  /// `FileStartRequest` → `FileStarted`
  case fileStart = "file.start"
  /// `MediaCredit` → nothing
  case fileCredit = "file.credit"
  /// `MediaStreamReference` → nothing
  case fileStop = "file.stop"

  /// Whoever may open the socket may all of it.
  package var leastRole: AccessRole { .viewer }

  /// The notification that a stream begun by it has ended or never came to be.
  package var ended: MediaEventName {
    switch self {
    case .previewStart, .previewCredit, .previewStop: .previewEnded
    case .soundStart, .soundCredit, .soundStop: .soundEnded
    case .fileStart, .fileCredit, .fileStop: .fileEnded
    }
  }
}

/// The notifications of the media socket; each carries `MediaStreamEnded`.
package enum MediaEventName: String, CaseIterable, Sendable {
  case previewEnded = "preview.ended"
  case soundEnded = "sound.ended"
  case fileEnded = "file.ended"
}
