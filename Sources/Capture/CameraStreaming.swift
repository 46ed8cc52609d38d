import CamrigModel

/// What the registry needs of a camera. It stays the same object over unplugging and replugging.
package protocol CameraStreaming: AnyObject, Sendable {
  func attach(_ device: any CameraDevice)
  func detach()
  func setWish(_ wish: FormatWish)
  func setEnabled(_ enabled: Bool)
  func retryNow()
  /// May block until its thread has ended.
  func shutdown()
  var status: CameraStreamState { get }
}

extension Camera: CameraStreaming {}

extension CameraStreamState {
  package init(_ state: CameraState, message: String = "") {
    self.init(state: state, message: message, device: nil, granted: nil, stream: nil)
  }
}
