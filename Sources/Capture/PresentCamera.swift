import Settings

/// A camera that is plugged in now.
package struct PresentCamera: PresentDevice, Hashable {
  /// The node's path in sysfs: the same as long as it stays plugged in.
  package var sysPath: String
  /// `/dev/video0`
  package var node: String
  package var fingerprint: CameraFingerprint
  package var place: CameraPlace
  /// udev's `ID_PATH`, or what stands for it: for people.
  package var port: String
  /// Why it gives no pictures, and what to do; nil where it does.
  package var problem: CameraTrouble?

  package init(
    sysPath: String, node: String, fingerprint: CameraFingerprint, place: CameraPlace, port: String,
    problem: CameraTrouble? = nil
  ) {
    self.sysPath = sysPath
    self.node = node
    self.fingerprint = fingerprint
    self.place = place
    self.port = port
    self.problem = problem
  }
}
