/// Which camera: its ID, or its name if only one camera has it.
package struct CameraReference: Codable, Sendable {
  package var camera: String
  package init(camera: String) { self.camera = camera }
}

package struct CameraRenameRequest: Codable, Sendable {
  package var camera: String
  package var name: String
  package init(camera: String, name: String) {
    self.camera = camera
    self.name = name
  }
}

/// What is absent stays as it was; what is named in `reset` goes back to the policy (`size`, `rate`, `format`)
/// or to the camera's own (`picture`).
package struct CameraSetRequest: Codable, Sendable {
  package var camera: String
  package var size: PixelSize?
  package var rate: FrameRate?
  package var format: PixelFormat?
  package var picture: PictureChoice?
  /// How much later the sound of its clips is put; from the next take on.
  package var soundOffsetMilliseconds: Int?
  package var reset: [String]?
  package init(
    camera: String, size: PixelSize? = nil, rate: FrameRate? = nil, format: PixelFormat? = nil,
    picture: PictureChoice? = nil, soundOffsetMilliseconds: Int? = nil, reset: [String]? = nil
  ) {
    self.camera = camera
    self.size = size
    self.rate = rate
    self.format = format
    self.picture = picture
    self.soundOffsetMilliseconds = soundOffsetMilliseconds
    self.reset = reset
  }
}

/// The camera `with` takes over the ID, name and settings of `camera`, which is gone for good.
package struct CameraReplaceRequest: Codable, Sendable {
  package var camera: String
  package var with: String
  package init(camera: String, with: String) {
    self.camera = camera
    self.with = with
  }
}
