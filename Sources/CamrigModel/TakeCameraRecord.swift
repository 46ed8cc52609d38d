/// One camera's part of a take.
package struct TakeCameraRecord: Hashable, Codable, Sendable {
  package var id: CameraID
  package var name: String
  /// Absent if the camera was not there at the start.
  package var device: DeviceDescription?
  /// Of its newest clip.
  package var format: VideoFormat?
  /// First picture minus the take's start, in seconds; below 0 with pre-roll.
  package var offsetSeconds: Double?
  package var clips: [ClipRecord]
  package var gaps: [TakeGap]
  /// The ledger, in full.
  package var runs: [RunAccount]
  /// The sum over the runs.
  package var lost: [LossCause: UInt64]
  /// The first losses with their times, at most `listedLossesLimit`; the ledger counts all of them.
  package var losses: [Loss]
  /// Losses that stand in no fragment's note, since no picture came after them.
  package var tail: [Loss]

  package static let listedLossesLimit = 1000

  package init(id: CameraID, name: String, device: DeviceDescription? = nil) {
    self.id = id
    self.name = name
    self.device = device
    clips = []
    gaps = []
    runs = []
    lost = [:]
    losses = []
    tail = []
  }
}

/// A time in which a camera of a take delivered nothing.
package struct TakeGap: Hashable, Codable, Sendable {
  package enum Reason: String, Codable, CaseIterable, Sendable {
    /// Not there when the take began.
    case absent
    case unplugged, stalled, stopped, failed, reset
    /// The pictures of this time were lost (see the losses): the clip before ends, the next one begins after them.
    case lost
    /// Found by repair; nobody has noted why.
    case unknown
  }
  package var reason: Reason
  /// End of the last picture before it.
  package var from: MediaTime
  /// The first picture after it; absent: it lasts, or lasted until the take's end.
  package var to: MediaTime?
  package var fromWall: WallTime
  package var toWall: WallTime?
  /// What the camera said; absent if nothing.
  package var message: String?

  package init(
    reason: Reason, from: MediaTime, to: MediaTime? = nil, fromWall: WallTime, toWall: WallTime? = nil,
    message: String? = nil
  ) {
    self.reason = reason
    self.from = from
    self.to = to
    self.fromWall = fromWall
    self.toWall = toWall
    self.message = message
  }
}
