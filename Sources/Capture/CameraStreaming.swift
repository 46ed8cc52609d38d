import CamrigModel
import Settings

/// What the registry needs of a camera. It stays the same object over unplugging and replugging.
package protocol CameraStreaming: AnyObject, Sendable {
  func attach(_ device: any CameraDevice)
  func detach()
  func setWish(_ wish: FormatWish)
  func setEnabled(_ enabled: Bool)
  func setKept(_ controls: [String: KeptControl])
  func setPicture(_ picture: PictureSetting)
  func retryNow()
  /// Sees whether it is still busy or locked, unless it is tried anyway because somebody wants it.
  func look()
  /// May block until its thread has ended.
  func shutdown()
  var status: CameraStreamState { get }
}

extension CameraStreaming {
  /// For those that have no controls.
  package func setKept(_ controls: [String: KeptControl]) {}
  /// For those that have no pictures.
  package func setPicture(_ picture: PictureSetting) {}
}

extension Camera: CameraStreaming {}

extension CameraStreamState {
  /// Why no picture comes, in words; nil as long as some may. A note on the format (`message` too) is no reason, nor is
  /// a start that goes on.
  package var problem: String? {
    switch state {
    case .offline, .disabled, .busy, .failed, .stalled: message.isEmpty ? nil : message
    case .streaming: undecodable
    case .idle, .starting: nil
    }
  }

  package init(_ state: CameraState, message: String = "") {
    self.init(state: state, message: message, device: nil, granted: nil, stream: nil)
  }

  init(_ trouble: CameraTrouble, since: WallTime?) {
    self.init(
      state: trouble.state, message: trouble.message, cause: trouble.cause, since: since, device: nil, granted: nil,
      stream: nil)
  }
}
