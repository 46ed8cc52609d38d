/// Why a clip holds silence where a microphone's sound should be.
package enum SilenceCause: String, Codable, CaseIterable, Sendable {
  /// The microphone had not come yet.
  case absent
  case unplugged
  /// It was closed, or its driver began anew.
  case stopped
  case failed
  /// Nobody fetched the sound from the driver in time.
  case xrun
  /// The recorder's bounded queue was full.
  case queueOverflow
  /// It had not come when it was to be written.
  case late
  /// The microphone's time stamps jumped.
  case clock
}

extension SilenceCause: CodingKeyRepresentable {}
