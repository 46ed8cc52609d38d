/// `shot.json`: what a shot's folder holds, and a shot in a list. Layout and promises: docs/ref/shot-folder.md.
package struct ShotRecord: Hashable, Codable, Sendable {
  /// Raised when a reader of the former layout would go wrong.
  package var layout: Int
  /// The folder's name.
  package var shot: String
  /// When the first picture was due.
  package var at: WallTime
  package var source: PhotoSource
  package var photos: [PhotoRecord]
  /// Cameras whose picture is missing, and why.
  package var failures: [PhotoFailure]
  /// From the earliest picture of an exposure to the latest, of the exposure where that was longest; with one camera
  /// absent.
  package var spreadMilliseconds: Double?

  package init(
    shot: String, at: WallTime, source: PhotoSource, photos: [PhotoRecord] = [], failures: [PhotoFailure] = [],
    spreadMilliseconds: Double? = nil
  ) {
    layout = 1
    self.shot = shot
    self.at = at
    self.source = source
    self.photos = photos
    self.failures = failures
    self.spreadMilliseconds = spreadMilliseconds
  }
}

package struct PhotoRecord: Hashable, Codable, Sendable {
  package var camera: CameraID
  package var cameraName: String
  package var file: String
  package var bytes: Int
  package var width: Int
  package var height: Int
  /// When the camera took it.
  package var at: WallTime
  /// Within a burst, from 1.
  package var number: Int
  /// It was encoded by the rig, since the camera gives no JPEG.
  package var encoded: Bool
  /// A light of the rig was on for it; absent where none was.
  package var flash: Bool?
  /// The take that recorded the camera then: the picture is one of its own. Absent where none did.
  package var take: String?

  package init(
    camera: CameraID, cameraName: String, file: String, bytes: Int, size: PixelSize, at: WallTime, number: Int = 1,
    encoded: Bool = false, flash: Bool? = nil, take: String? = nil
  ) {
    self.camera = camera
    self.cameraName = cameraName
    self.file = file
    self.bytes = bytes
    width = size.width
    height = size.height
    self.at = at
    self.number = number
    self.encoded = encoded
    self.flash = flash
    self.take = take
  }
}

package struct PhotoFailure: Hashable, Codable, Sendable {
  package var camera: CameraID
  package var cameraName: String
  package var message: String

  package init(camera: CameraID, cameraName: String, message: String) {
    self.camera = camera
    self.cameraName = cameraName
    self.message = message
  }
}
