import CamrigModel

/// Cameras as a session needs them.
package protocol SessionCameras: Sendable {
  /// The camera that a monitor may select by that ID or name. Throws the reason why it may not.
  func selectable(_ text: String) async throws(RPCError) -> any SessionCamera
  /// As monitors see it; nil if it was forgotten.
  func description(_ id: CameraID) async -> CameraDescription?
  /// Why it shows nothing, in words; nil if nobody knows.
  func whyDark(_ id: CameraID) async -> String?
  /// IDs of cameras that are forgotten from now on.
  func forgotten() -> AsyncStream<CameraID>
  /// What the rig has, in the words of `session.get`.
  func features() async -> [String]
}

package protocol SessionCamera: Sendable {
  var id: CameraID { get }
  /// Opens the camera, or keeps it open, until it is let go. `picture` is called once, with the next picture, from any
  /// thread, and must return at once.
  func hold(_ picture: @escaping @Sendable () -> Void) -> any CameraHold
}

package protocol CameraHold: Sendable {
  /// Once.
  func letGo()
}
