/// A camera as monitors see it.
package struct CameraDescription: Hashable, Codable, Sendable {
  package var id: CameraID
  package var name: String
  package var state: CameraState
  /// The state in words, with the cure where something is wrong; empty when all is well.
  package var message: String
  /// Absent when all is well.
  package var cause: CameraCause?
  /// When that state or cause began; absent where nobody knows.
  package var since: WallTime?
  package var enabled: Bool
  /// What the driver says; absent while offline.
  package var device: DeviceDescription?
  /// Another camera looks just like this one (same serial): told apart by its socket only.
  package var sharesSerialWith: [CameraID]
  /// The socket it was last seen in (udev's ID_PATH), for people.
  package var port: String
  package var serial: String?
  package var wish: FormatWish
  /// What the driver granted; present while the camera streams.
  package var granted: VideoFormat?
  /// Of the present run; absent while the camera does not stream.
  package var stream: StreamStatus?
  /// When it was last online.
  package var lastSeen: WallTime?
  /// What a person may want to know, with what to do about it; absent when there is nothing.
  package var hints: [String]?
  /// How its pictures are seen; absent when as the camera gives them.
  package var picture: PictureChoice?
  /// Why pictures in its present format cannot be mirrored, rotated or zoomed, with the cure; absent when they can.
  package var pictureRefusal: String?
  /// What comes out after that; absent when it is what was granted, and while the camera does not stream.
  package var delivered: VideoFormat?
  /// How much later the sound of its clips is put, beside what its microphones have; absent when it is not.
  package var soundOffsetMilliseconds: Int?

  package init(
    id: CameraID, name: String, state: CameraState, message: String = "", cause: CameraCause? = nil,
    since: WallTime? = nil, enabled: Bool = true,
    device: DeviceDescription? = nil, sharesSerialWith: [CameraID] = [], port: String = "", serial: String? = nil,
    wish: FormatWish = FormatWish(), granted: VideoFormat? = nil, stream: StreamStatus? = nil,
    lastSeen: WallTime? = nil, hints: [String]? = nil, picture: PictureChoice? = nil, pictureRefusal: String? = nil,
    delivered: VideoFormat? = nil, soundOffsetMilliseconds: Int? = nil
  ) {
    self.id = id
    self.name = name
    self.state = state
    self.message = message
    self.cause = cause
    self.since = since
    self.enabled = enabled
    self.device = device
    self.sharesSerialWith = sharesSerialWith
    self.port = port
    self.serial = serial
    self.wish = wish
    self.granted = granted
    self.stream = stream
    self.lastSeen = lastSeen
    self.hints = hints
    self.picture = picture
    self.pictureRefusal = pictureRefusal
    self.delivered = delivered
    self.soundOffsetMilliseconds = soundOffsetMilliseconds
  }
}

package enum CameraState: String, Codable, CaseIterable, Sendable {
  /// Not plugged in.
  case offline
  /// Plugged in, closed, free.
  case idle
  /// Being opened, no picture yet.
  case starting
  case streaming
  /// Open, but no picture comes.
  case stalled
  /// Another program holds it.
  case busy
  /// Plugged in, but it cannot be used; the message says why.
  case failed
  /// Switched off by the user.
  case disabled
}

/// Counters of one run of a stream.
package struct StreamStatus: Hashable, Codable, Sendable {
  package var frames: UInt64
  package var lost: [String: UInt64]
  package var measuredRate: Double?
  /// Pictures with more than one image in a buffer, clocks that went backwards and the like: not losses.
  package var oddities: [String: UInt64]

  package init(
    frames: UInt64 = 0, lost: [String: UInt64] = [:], measuredRate: Double? = nil, oddities: [String: UInt64] = [:]
  ) {
    self.frames = frames
    self.lost = lost
    self.measuredRate = measuredRate
    self.oddities = oddities
  }
}
