import CamrigModel

/// For a watchdog: whether one writer of a take moves.
package struct WriterMark: Hashable, Sendable {
  package var camera: CameraID
  /// It went round its loop, or its sync answered.
  package var lastMoved: MediaTime
  /// Since when the volume has not answered it; nil: it waits for pictures, which is legitimate.
  package var busySince: MediaTime?

  package init(camera: CameraID, lastMoved: MediaTime, busySince: MediaTime?) {
    self.camera = camera
    self.lastMoved = lastMoved
    self.busySince = busySince
  }
}
