/// Where the pictures of a shot come from.
package enum PhotoSource: String, Codable, CaseIterable, Sendable {
  /// The running stream, in its size; while recording the recording's own pictures.
  case stream
  /// The camera's largest size: its format is switched for the shot, and back.
  case still
}

/// Whether the rig's lights are on for the exposure.
package enum PhotoFlashMode: String, Codable, CaseIterable, Sendable {
  case off, on
}

package struct PhotoTakeRequest: Codable, Sendable {
  /// IDs or names; absent: every camera that is online and enabled.
  package var cameras: [String]?
  /// Self-timer, 0…20; absent: 0.
  package var timerSeconds: Double?
  /// Pictures of each camera; absent: 1.
  package var count: Int?
  /// From one picture of a burst to the next; absent: as fast as they come.
  package var intervalSeconds: Double?
  /// Absent: `stream`.
  package var source: PhotoSource?
  /// Absent: `off`.
  package var flash: PhotoFlashMode?

  package init(
    cameras: [String]? = nil, timerSeconds: Double? = nil, count: Int? = nil, intervalSeconds: Double? = nil,
    source: PhotoSource? = nil, flash: PhotoFlashMode? = nil
  ) {
    self.cameras = cameras
    self.timerSeconds = timerSeconds
    self.count = count
    self.intervalSeconds = intervalSeconds
    self.source = source
    self.flash = flash
  }
}

/// The answer to a press of the shutter; what becomes of it is told by events.
package struct ShotStarted: Hashable, Codable, Sendable {
  package var shot: String
  /// On the rig.
  package var folder: String
  package var cameras: [CameraID]
  /// When the first picture is due.
  package var at: WallTime

  package init(shot: String, folder: String, cameras: [CameraID], at: WallTime) {
    self.shot = shot
    self.folder = folder
    self.cameras = cameras
    self.at = at
  }
}

/// Which shot; absent: the one that runs.
package struct PhotoCancelRequest: Codable, Sendable {
  package var shot: String?
  package init(shot: String? = nil) { self.shot = shot }
}

package struct ShotReference: Hashable, Codable, Sendable {
  package var shot: String
  package init(shot: String) { self.shot = shot }
}

package struct ShotListRequest: Codable, Sendable {
  /// The newest so many; absent: 100.
  package var limit: Int?
  package init(limit: Int? = nil) { self.limit = limit }
}

package struct PhotoCountdown: Hashable, Codable, Sendable {
  package var shot: String
  package var secondsLeft: Int
  package init(shot: String, secondsLeft: Int) {
    self.shot = shot
    self.secondsLeft = secondsLeft
  }
}

/// A photo is on the volume.
package struct PhotoTaken: Hashable, Codable, Sendable {
  package var shot: String
  package var camera: CameraID
  package var file: String
  package init(shot: String, camera: CameraID, file: String) {
    self.shot = shot
    self.camera = camera
    self.file = file
  }
}

package struct PhotoFailed: Hashable, Codable, Sendable {
  package var shot: String
  package var camera: CameraID
  /// What happened and what to do.
  package var message: String
  package init(shot: String, camera: CameraID, message: String) {
    self.shot = shot
    self.camera = camera
    self.message = message
  }
}
