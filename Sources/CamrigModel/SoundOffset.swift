/// How much later sound is put beside the pictures; negative: earlier. A microphone has one for its own delay and a
/// camera one for that of its pictures, so that one microphone is in sync with cameras that are late by different times.
package enum SoundOffset {
  /// Of a microphone, of a camera, and of both together: the end of a clip waits for sound that is put earlier.
  package static let mostMilliseconds = 2000

  package static func isAllowed(_ milliseconds: Int) -> Bool {
    (-mostMilliseconds...mostMilliseconds).contains(milliseconds)
  }

  /// Why one is refused.
  package static func refusal(_ milliseconds: Int) -> String {
    "\(milliseconds) ms is no offset. It is at most \(mostMilliseconds) ms either way."
  }

  /// Of a microphone's track in the clips of a camera. Both may come from a file that somebody has written by hand.
  package static func ofTrack(microphone: Int, camera: Int) -> Duration {
    func limited(_ milliseconds: Int) -> Int { min(max(milliseconds, -mostMilliseconds), mostMilliseconds) }
    return .milliseconds(limited(limited(microphone) + limited(camera)))
  }
}
