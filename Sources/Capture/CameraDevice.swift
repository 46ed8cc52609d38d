import CamrigModel

/// Something that can be opened as a camera: a video node, or a test pattern. The calls may block for seconds on a
/// sick camera, so only its own thread makes them.
package protocol CameraDevice: Sendable {
  /// `/dev/video2`, `test-pattern-1`: where it is now.
  var node: String { get }

  /// Without starting it, with queries only: also while another program holds it.
  func describe() throws(CaptureError) -> DeviceDescription

  /// Another program streams from it. After `true` the device may keep its node open, so that the end of its own
  /// looking is not taken for the other program's (inotify tells of each close); `letGo` ends that.
  func isHeldByAnotherProgram() -> Bool

  /// Opens and configures it; what it made of the wish is in `granted`.
  func open(_ wish: FormatWish, bufferCount: Int) throws(CaptureError) -> any OpenCameraDevice

  /// Closes what was kept open while another program held it.
  func letGo()

  /// A handle of its own for its controls, whoever streams; nil for a device that has none. Used by one thread.
  func openControls() throws(CaptureError) -> (any OpenControls)?
}

extension CameraDevice {
  package func openControls() throws(CaptureError) -> (any OpenControls)? { nil }
}

/// An open, configured camera. Used by its capture thread alone.
package protocol OpenCameraDevice: AnyObject {
  var granted: VideoFormat { get }

  func start() throws(CaptureError)

  /// Stops and closes; never fails. Idempotent.
  func stop()

  /// Waits at most `timeout` for a picture, or until `wake` can be read. Each picture must be given back.
  func next(timeout: Duration, wake: Int32) throws(CaptureError) -> CameraEvent

  /// The bytes of the picture are not touched after this.
  func giveBack(_ picture: DequeuedPicture) throws(CaptureError)

  /// The size of what comes into a capture card; nil for a camera.
  var signal: PixelSize? { get }

  /// Why no picture comes, where the device knows: its input has no signal. Nil for a camera.
  var signalTrouble: CaptureError? { get }

  /// Asks for a keyframe now. False: it cannot be asked.
  func requestKeyframe() -> Bool
}

extension OpenCameraDevice {
  package var signal: PixelSize? { nil }
  package var signalTrouble: CaptureError? { nil }
}

package enum CameraEvent {
  case picture(DequeuedPicture)
  case timeout
  case woken
  /// The signal that the device captures has another size now: it must be opened anew.
  case sourceChanged
}

/// A picture in the driver's memory.
package struct DequeuedPicture {
  /// Which of the device's buffers it is.
  package let index: Int
  /// Valid until it is given back. Empty: the driver delivered nothing.
  package let bytes: UnsafeRawBufferPointer
  /// Of the driver's choice of clock; see `timestampIsMonotonic`.
  package let timestamp: MediaTime
  package let timestampIsMonotonic: Bool
  /// The driver's 32-bit count, which wraps.
  package let rawSequence: UInt32
  package let isErrorFlagged: Bool

  package init(
    index: Int, bytes: UnsafeRawBufferPointer, timestamp: MediaTime, timestampIsMonotonic: Bool = true,
    rawSequence: UInt32, isErrorFlagged: Bool = false
  ) {
    self.index = index
    self.bytes = bytes
    self.timestamp = timestamp
    self.timestampIsMonotonic = timestampIsMonotonic
    self.rawSequence = rawSequence
    self.isErrorFlagged = isErrorFlagged
  }
}
