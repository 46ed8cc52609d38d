/// `timelapse.json`: what a timelapse's folder holds, and one in a list. Layout and promises: docs/ref/shot-folder.md.
package struct TimelapseRecord: Hashable, Codable, Sendable {
  package enum State: String, Codable, CaseIterable, Sendable {
    /// It goes on, also after a restart of the rig.
    case running
    case stopped
  }

  package struct Camera: Hashable, Codable, Sendable {
    package var camera: CameraID
    package var cameraName: String
    /// Its pictures are `STEM-000001.jpg` and so on; the number is the moment, the same for all cameras.
    package var stem: String
    package var pictures: Int
    package var missed: Int
    /// The newest one; absent before the first.
    package var last: String?

    package init(
      camera: CameraID, cameraName: String, stem: String, pictures: Int = 0, missed: Int = 0, last: String? = nil
    ) {
      self.camera = camera
      self.cameraName = cameraName
      self.stem = stem
      self.pictures = pictures
      self.missed = missed
      self.last = last
    }
  }

  /// A finished movie of one camera's pictures.
  package struct Movie: Hashable, Codable, Sendable {
    package var camera: CameraID
    package var file: String
    package var bytes: Int64
    /// Where it is fetched over HTTP.
    package var path: String

    package init(camera: CameraID, file: String, bytes: Int64, path: String) {
      self.camera = camera
      self.file = file
      self.bytes = bytes
      self.path = path
    }
  }

  /// Raised when a reader of the former layout would go wrong.
  package var layout: Int
  /// The folder's name.
  package var timelapse: String
  /// When the first picture was due.
  package var at: WallTime
  package var intervalSeconds: Double
  package var state: State
  /// Why it has ended; absent while it runs.
  package var message: String?
  package var cameras: [Camera]
  /// In a list, those that are in the folder; absent where there is none, and never in the file.
  package var movies: [Movie]?

  package init(
    timelapse: String, at: WallTime, intervalSeconds: Double, state: State = .running, message: String? = nil,
    cameras: [Camera]
  ) {
    layout = 1
    self.timelapse = timelapse
    self.at = at
    self.intervalSeconds = intervalSeconds
    self.state = state
    self.message = message
    self.cameras = cameras
  }
}
