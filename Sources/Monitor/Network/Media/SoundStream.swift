import HTTP
import Streaming

/// A microphone's sound.
final class SoundStream: MediaStream {
  let preview: SoundPreview
  private let sender: SoundSender

  init(_ preview: SoundPreview, stream: UInt32, credit: Int?, ready: @escaping @Sendable () -> Void) {
    self.preview = preview
    sender = SoundSender(preview, stream: stream, credit: credit ?? SoundSender.usualCredit, ready: ready)
  }

  var urgency: MediaUrgency { .sound }
  var isOver: Bool { false }

  func next() -> WebSocketMessage.Outgoing? {
    sender.next().map { WebSocketMessage.Outgoing(binary: [$0.header.bytes, $0.chunk.bytes]) }
  }

  func acknowledge(_ sequence: UInt64, leastRoundTrip: Duration?) { sender.acknowledge(sequence) }
  func setCredit(_ credit: Int) { sender.setCredit(credit) }
  func close() { sender.close() }
}
