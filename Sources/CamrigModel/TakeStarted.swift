/// The answer to Record: given when every camera has delivered or failed.
package struct TakeStarted: Hashable, Codable, Sendable {
  package var take: String
  package var name: String?
  package var folder: String
  package var start: ClockAnchor
  package var cameras: [TakeCameraStart]
  /// The take was running already; nothing was started.
  package var alreadyRunning: Bool
  /// Why it is recorded to the second directory; absent where it is in the first.
  package var instead: String?

  package init(
    take: String, name: String?, folder: String, start: ClockAnchor, cameras: [TakeCameraStart],
    alreadyRunning: Bool = false, instead: String? = nil
  ) {
    self.take = take
    self.name = name
    self.folder = folder
    self.start = start
    self.cameras = cameras
    self.alreadyRunning = alreadyRunning
    self.instead = instead
  }
}

package struct TakeCameraStart: Hashable, Codable, Sendable {
  package var id: CameraID
  package var name: String
  /// First picture minus the take's start, in seconds; below 0 with pre-roll. Absent: nothing has come yet.
  package var offsetSeconds: Double?
  /// Why nothing has come, and what to do; absent when it has. The take takes the camera in as soon as it delivers.
  package var problem: String?

  package init(id: CameraID, name: String, offsetSeconds: Double? = nil, problem: String? = nil) {
    self.id = id
    self.name = name
    self.offsetSeconds = offsetSeconds
    self.problem = problem
  }
}
