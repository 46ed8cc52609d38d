/// Why a picture that the driver counted is not in the recording.
package enum LossCause: String, Codable, CaseIterable, Sendable {
  /// The driver's sequence skipped it.
  case driverGap
  /// Delivered with `V4L2_BUF_FLAG_ERROR`.
  case errorFlagged
  /// Delivered without a byte.
  case empty
  /// A JPEG or H.264 picture that is cut short or malformed, or a raw one that is too short.
  case broken
  /// The bounded queue of the recorder, or of what turns pictures, was full.
  case queueOverflow
  /// The volume did not take it.
  case disk
  /// Delivered before the clip's first keyframe.
  case beforeKeyframe
  /// The encoder refused it, or had not come to it when the take ended.
  case encoder
}

/// Consecutive pictures of one run of a camera's stream that will never come.
package struct Loss: Hashable, Codable, Sendable {
  package let cause: LossCause
  /// Which run of the stream, see `StreamRun.number`.
  package let run: Int
  package let firstSequence: UInt64
  package let count: UInt64
  /// When the first of them was noticed.
  package let time: MediaTime

  package init(cause: LossCause, run: Int, firstSequence: UInt64, count: UInt64, time: MediaTime) {
    self.cause = cause
    self.run = run
    self.firstSequence = firstSequence
    self.count = count
    self.time = time
  }
}
