import CamrigModel
import HTTP
import Streaming

/// A camera's preview as `multipart/x-mixed-replace`: whenever the socket has taken a picture, the newest.
final class MultipartPictures: HTTPBodyStream {
  static let type = MultipartFraming.contentType

  private let preview: CameraPreview
  private let form: PreviewForm
  private let reader = Guarded<PreviewReader?>(nil)
  private let hasBegun = Guarded(false)

  init(_ preview: CameraPreview, _ form: PreviewForm) {
    self.preview = preview
    self.form = form
  }

  func begin(wake: @escaping @Sendable () -> Void) {
    let opened = preview.open(form, ready: wake)
    reader.withLock { $0 = opened }
  }

  func next() -> HTTPStreamPiece {
    guard let picture = reader.withLock({ $0 })?.next() else { return .later }
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    let head = MultipartFraming.header(
      byteCount: picture.frame.byteCount, presentationTime: picture.presentationTime)
    return .bytes([
      (isFirst ? MultipartFraming.opening : []) + head, FramePayload(frame: picture.frame), MultipartFraming.closing,
    ])
  }

  func ended() {
    reader.withLock { reader in
      defer { reader = nil }
      return reader
    }?.close()
  }
}
