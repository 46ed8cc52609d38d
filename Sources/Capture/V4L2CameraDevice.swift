import CamrigModel
import V4L2

/// A camera behind `/dev/videoN`.
package final class V4L2CameraDevice: CameraDevice {
  // Open only while another program streams from the node. The device moves in and out whole: it is either here or
  // with the one caller that took it.
  private struct Parked: @unchecked Sendable { var device: VideoDevice? }
  private let parked = Guarded(Parked())

  package let node: String

  package init(node: String) { self.node = node }

  package func describe() throws(CaptureError) -> DeviceDescription {
    try viaV4L2 { () throws(V4L2Error) in try VideoDevice(path: node).describe() }
  }

  package func isHeldByAnotherProgram() -> Bool {
    // A node that cannot be opened is held by nobody that we know of; opening it for pictures will say why.
    guard let device = take() ?? (try? VideoDevice(path: node)) else { return false }
    guard device.isHeldByAnother else { return false }
    park(device)
    return true
  }

  package func open(_ wish: FormatWish, bufferCount: Int) throws(CaptureError) -> any OpenCameraDevice {
    try viaV4L2 { () throws(V4L2Error) in
      let device = if let kept = take() { kept } else { try VideoDevice(path: node) }
      do throws(V4L2Error) {
        // A driver may let another program's stream be configured anew until its buffers are there.
        if device.isHeldByAnother { throw V4L2Error.busy(path: node) }
        let granted = try device.configure(wish)
        return OpenV4L2Camera(device, granted: granted, bufferCount: bufferCount)
      } catch {
        if case .busy = error { park(device) }
        throw error
      }
    }
  }

  package func letGo() { take()?.close() }

  package func openControls() throws(CaptureError) -> (any OpenControls)? {
    try viaV4L2 { () throws(V4L2Error) in try ControlNode(path: node) }
  }

  private func take() -> VideoDevice? {
    parked.withLock { parked in
      let device = Parked(device: parked.device)
      parked.device = nil
      return device
    }.device
  }

  private func park(_ device: VideoDevice) {
    let moved = Parked(device: device)
    parked.withLock { $0 = moved }
  }
}

/// A V4L2 camera between `open` and `stop`.
final class OpenV4L2Camera: OpenCameraDevice {
  let granted: VideoFormat
  private let device: VideoDevice
  private let bufferCount: Int

  init(_ device: VideoDevice, granted: VideoFormat, bufferCount: Int) {
    self.device = device
    self.granted = granted
    self.bufferCount = bufferCount
  }

  func start() throws(CaptureError) {
    try viaV4L2 { () throws(V4L2Error) in try device.start(bufferCount: bufferCount) }
  }

  func stop() { device.close() }

  func next(timeout: Duration, wake: Int32) throws(CaptureError) -> CameraEvent {
    switch try viaV4L2({ () throws(V4L2Error) in try device.next(wake: wake, timeout: timeout) }) {
    case .timeout: .timeout
    case .woken: .woken
    case .sourceChanged: .sourceChanged
    case .buffer(let buffer):
      .picture(
        DequeuedPicture(
          index: buffer.index, bytes: buffer.bytes, timestamp: buffer.timestamp,
          timestampIsMonotonic: buffer.timestampIsMonotonic, rawSequence: buffer.sequence,
          isErrorFlagged: buffer.isErrorFlagged))
    }
  }

  func giveBack(_ picture: DequeuedPicture) throws(CaptureError) {
    try viaV4L2 { () throws(V4L2Error) in try device.giveBack(index: picture.index) }
  }

  var signal: PixelSize? { device.signal }

  var signalTrouble: CaptureError? { device.signalFault.map { .device(.noSignal(path: device.path, $0)) } }

  func requestKeyframe() -> Bool { device.requestKeyframe() }
}

private func viaV4L2<T>(_ body: () throws(V4L2Error) -> T) throws(CaptureError) -> T {
  do { return try body() } catch { throw .device(error) }
}
