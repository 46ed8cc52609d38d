package struct TimelapseStartRequest: Codable, Sendable {
  /// IDs or names; absent: every camera that is online and enabled.
  package var cameras: [String]?
  /// From one picture to the next, 1 to 86400.
  package var intervalSeconds: Double

  package init(cameras: [String]? = nil, intervalSeconds: Double) {
    self.cameras = cameras
    self.intervalSeconds = intervalSeconds
  }
}

package struct TimelapseStarted: Hashable, Codable, Sendable {
  package var timelapse: String
  /// On the rig.
  package var folder: String
  package init(timelapse: String, folder: String) {
    self.timelapse = timelapse
    self.folder = folder
  }
}

package struct TimelapseListRequest: Codable, Sendable {
  /// The newest so many; absent: 100.
  package var limit: Int?
  /// Only this one: its ID, or `last`.
  package var timelapse: String?
  package init(limit: Int? = nil, timelapse: String? = nil) {
    self.limit = limit
    self.timelapse = timelapse
  }
}

package struct TimelapseMovieRequest: Codable, Sendable {
  /// Its ID, or `last`.
  package var timelapse: String
  /// Pictures a second; absent: 25.
  package var rate: FrameRate?
  package init(timelapse: String, rate: FrameRate? = nil) {
    self.timelapse = timelapse
    self.rate = rate
  }
}

package struct TimelapseMovies: Hashable, Codable, Sendable {
  package struct Movie: Hashable, Codable, Sendable {
    package var camera: CameraID
    package var cameraName: String
    package var file: String
    package var pictures: Int
    package var bytes: Int64
    package var durationSeconds: Double
    package init(
      camera: CameraID, cameraName: String, file: String, pictures: Int, bytes: Int64, durationSeconds: Double
    ) {
      self.camera = camera
      self.cameraName = cameraName
      self.file = file
      self.pictures = pictures
      self.bytes = bytes
      self.durationSeconds = durationSeconds
    }
  }
  package var timelapse: String
  /// On the rig.
  package var folder: String
  package var movies: [Movie]
  package init(timelapse: String, folder: String, movies: [Movie]) {
    self.timelapse = timelapse
    self.folder = folder
    self.movies = movies
  }
}

/// The timelapse that runs.
package struct TimelapseStatus: Hashable, Codable, Sendable {
  package struct Camera: Hashable, Codable, Sendable {
    package var name: String
    package var pictures: Int
    /// Moments at which it gave none, or the rig was down.
    package var missed: Int
    /// Why it gave none the last time; absent if it did.
    package var message: String?
    package init(name: String, pictures: Int, missed: Int, message: String? = nil) {
      self.name = name
      self.pictures = pictures
      self.missed = missed
      self.message = message
    }
  }

  package var id: String
  package var intervalSeconds: Double
  /// Of all cameras together.
  package var pictures: Int
  /// When the next is due.
  package var next: WallTime
  package var cameras: [CameraID: Camera]

  package init(id: String, intervalSeconds: Double, pictures: Int, next: WallTime, cameras: [CameraID: Camera]) {
    self.id = id
    self.intervalSeconds = intervalSeconds
    self.pictures = pictures
    self.next = next
    self.cameras = cameras
  }
}
