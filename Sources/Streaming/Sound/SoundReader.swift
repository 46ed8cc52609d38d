import CamrigModel

/// One listener's end of a microphone's sound. All calls return at once and may come from any thread.
package final class SoundReader: Sendable {
  private let preview: SoundPreview
  private let id: Int
  private let isClosed = Guarded(false)

  init(_ preview: SoundPreview, _ id: Int) {
    self.preview = preview
    self.id = id
  }

  deinit { close() }

  /// What comes next for this listener, and how many chunks it has missed before that. Nil: nothing yet; then `ready` is
  /// called once when there is. So ask first, and ask again whenever one was sent.
  package func next() -> (chunk: SoundChunk, skipped: Int)? { preview.next(id) }

  /// Idempotent. `ready` may be called once more from another thread that is about to.
  package func close() {
    let wasOpen = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    if wasOpen { preview.close(id) }
  }
}
