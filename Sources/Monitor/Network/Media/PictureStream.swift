import HTTP
import Streaming

/// A camera's live pictures.
final class PictureStream: MediaStream {
  let preview: CameraPreview
  private let sender: PreviewSender

  init(
    _ preview: CameraPreview, stream: UInt32, form: PreviewForm, credit: Int, roundTrip: Duration?,
    ready: @escaping @Sendable () -> Void
  ) {
    self.preview = preview
    sender = PreviewSender(preview, stream: stream, form: form, credit: credit, roundTrip: roundTrip, ready: ready)
  }

  var urgency: MediaUrgency { .picture }
  var isOver: Bool { false }

  func next() -> WebSocketMessage.Outgoing? {
    sender.next().map { WebSocketMessage.Outgoing(binary: [$0.header.bytes, FramePayload(frame: $0.frame)]) }
  }

  func acknowledge(_ sequence: UInt64, leastRoundTrip: Duration?) {
    sender.acknowledge(sequence, leastRoundTrip: leastRoundTrip)
  }

  func change(_ form: PreviewForm, credit: Int?) {
    sender.setForm(form)
    if let credit { sender.setCredit(credit) }
  }

  func close() { sender.close() }
}
