import CamrigModel

/// One viewer's end of a camera's preview. It is asked for pictures and gives the newest; none waits for it.
/// All calls return at once and may come from any thread.
package final class PreviewReader: Sendable {
  package let preview: CameraPreview
  private let id: Int
  private let isClosed = Guarded(false)

  init(_ preview: CameraPreview, _ id: Int) {
    self.preview = preview
    self.id = id
  }

  deinit { close() }

  /// The newest picture that this viewer has not had. Nil if there is none; then `ready` is called once when one is
  /// there. So ask first, and ask again whenever one was sent.
  package func next() -> PreviewPicture? { preview.next(id) }

  /// Pictures of another form from now on. May call `ready` before it returns.
  package func setForm(_ form: PreviewForm) { preview.setForm(id, form) }

  /// Idempotent. `ready` may be called once more from another thread that is about to.
  package func close() {
    let wasOpen = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    if wasOpen { preview.close(id) }
  }
}
