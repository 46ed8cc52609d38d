/// What stands at the front of each clip (as JSON), so that `take.json` and the catalog can be made anew from the
/// clips alone.
package struct ClipNote: Hashable, Codable, Sendable {
  package var take: String
  package var takeName: String?
  package var takeStart: ClockAnchor
  package var camera: CameraID
  package var cameraName: String
  package var clip: Int
  package var format: VideoFormat
  package var encoder: String?
  package var anchor: ClockAnchor
  /// The movie's time 0.
  package var firstTime: MediaTime
  /// Absent if there is none.
  package var microphones: [ClipMicrophone]?
  package var version: String

  package init(
    take: String, takeName: String?, takeStart: ClockAnchor, camera: CameraID, cameraName: String, clip: Int,
    format: VideoFormat, encoder: String? = nil, anchor: ClockAnchor, firstTime: MediaTime,
    microphones: [ClipMicrophone]? = nil, version: String
  ) {
    self.take = take
    self.takeName = takeName
    self.takeStart = takeStart
    self.camera = camera
    self.cameraName = cameraName
    self.clip = clip
    self.format = format
    self.encoder = encoder
    self.anchor = anchor
    self.firstTime = firstTime
    self.microphones = microphones
    self.version = version
  }
}
