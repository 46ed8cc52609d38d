import CamrigModel
import Codec
import Frames
import Streaming
import TestSupport
import Testing

@Suite("A monitor's preview", .timeLimit(.minutes(5)))
struct PreviewSenderTests {
  private let hub = FrameHub(prerollLength: .zero, prerollCapacityBytes: 1)
  private let clock = TestClock()
  private let preview: CameraPreview
  private let camera: PatternCamera
  private let told = Count()

  init() throws {
    camera = try PatternCamera(.mjpeg, PixelSize(width: 640, height: 480))
    preview = CameraPreview(PreviewCamera(hub: hub), clock: clock)
    hub.publish(camera.pictures.start)
  }

  private func sender(credit: Int, _ form: PreviewForm = PreviewForm()) -> PreviewSender {
    let told = told
    return PreviewSender(preview, stream: 5, form: form, credit: credit, clock: clock) { told.add() }
  }

  private func publish(_ sequences: ClosedRange<UInt64>) throws {
    for sequence in sequences { hub.publish(.frame(try camera.frame(sequence))) }
  }

  @Test("a message is header and picture; messages are counted from 0")
  func messages() throws {
    try publish(0...0)
    let sender = sender(credit: 2)
    clock.advance(by: .milliseconds(12))
    let first = try #require(sender.next())
    #expect(first.frame === hub.newest)
    #expect(
      first.header
        == MediaHeader(
          kind: .picture, stream: 5, sequence: 0, presentationMicroseconds: 1_000_000_000,
          detail: .init(width: 640, height: 480, skipped: 0, ageMilliseconds: 12)))
    sender.acknowledge(0)
    try publish(1...4)
    let second = try #require(sender.next())
    #expect(second.header.sequence == 1)
    #expect(second.header.detail.skipped == 3)
    #expect(second.frame.sequence == 4)
    #expect(sender.status.skippedCount == 3)
    #expect(sender.status.sentCount == 2)
  }

  @Test("without credit nothing is sent and nobody is told; with it the newest picture comes")
  func credit() throws {
    let sender = sender(credit: 1)
    #expect(sender.next() == nil)
    try publish(0...0)
    #expect(told.value == 1)
    #expect(sender.next() != nil)
    #expect(sender.next() == nil)
    try publish(1...7)
    #expect(told.value == 1)
    #expect(sender.next() == nil)
    sender.acknowledge(0)
    #expect(told.value == 2)
    let message = try #require(sender.next())
    #expect(message.frame.sequence == 7)
    #expect(message.header.detail.skipped == 6)
  }

  @Test("more credit is used at once")
  func moreCredit() throws {
    let sender = sender(credit: 1)
    try publish(0...0)
    #expect(sender.next() != nil)
    try publish(1...1)
    #expect(sender.next() == nil)
    sender.setCredit(3)
    #expect(told.value == 1)
    #expect(sender.next() != nil)
  }

  @Test("an acknowledgement of what was not sent gives no credit")
  func falseAcknowledgement() throws {
    let sender = sender(credit: 1)
    try publish(0...0)
    #expect(sender.next() != nil)
    try publish(1...1)
    for sequence in [UInt64(1), 77, .max] { sender.acknowledge(sequence) }
    #expect(sender.next() == nil)
    #expect(told.value == 0)
  }

  @Test("a slow monitor gets smaller pictures fewer times, and its messages say so; another is not touched")
  func adapts() async throws {
    let slow = sender(credit: 4)
    let other = preview.open(PreviewForm()) {}
    try publish(0...0)
    #expect(slow.next() != nil)
    #expect(!slow.status.isReduced)
    clock.advance(by: .seconds(3))
    slow.acknowledge(0, leastRoundTrip: .milliseconds(20))
    #expect(slow.status.isReduced)
    #expect(slow.status.lastTook == .seconds(3))
    try publish(90...90)
    let kept = Message()
    await eventually { kept.take(slow.next()) }
    let message = try #require(kept.message)
    #expect(message.header.flags == .reduced)
    #expect(message.header.detail.width < 640)
    #expect(message.frame.size.width == Int(message.header.detail.width))
    #expect(other.next()?.size == PixelSize(width: 640, height: 480))
  }

  @Test("another wish is followed")
  func wish() async throws {
    let sender = sender(credit: 4)
    sender.setForm(PreviewForm(longEdge: 320))
    try publish(0...0)
    let kept = Message()
    await eventually { kept.take(sender.next()) }
    #expect(kept.message?.frame.size == PixelSize(width: 320, height: 240))
    #expect(kept.message?.header.flags == [])
  }

  @Test("after it is closed, or gone, nothing comes and the camera is let go")
  func closes() throws {
    var sender: PreviewSender? = sender(credit: 4)
    #expect(sender?.next() == nil)
    sender?.close()
    sender?.close()
    try publish(0...0)
    #expect(told.value == 0)
    #expect(sender?.next() == nil)
    #expect(preview.status.viewerCount == 0)
    sender = self.sender(credit: 4)
    #expect(preview.status.viewerCount == 1)
    sender = nil
    #expect(preview.status.viewerCount == 0)
  }

  @Test("a monitor that never acknowledges holds no more than it was granted, and no picture of the camera")
  func silent() throws {
    let sender = sender(credit: 3)
    weak var last: Frame?
    for sequence in UInt64(0)..<30 {
      let frame = try camera.frame(sequence)
      hub.publish(.frame(frame))
      last = frame
      while sender.next() != nil {}
    }
    #expect(sender.status.picturesInFlight <= 3)
    #expect(sender.status.sentCount <= 3)
    try publish(30...30)
    #expect(last == nil)
  }
}

private final class Message: Sendable {
  private let kept = Guarded<MediaMessage?>(nil)
  func take(_ message: MediaMessage?) -> Bool {
    kept.withLock { kept in
      if let message { kept = message }
      return kept != nil
    }
  }
  var message: MediaMessage? { kept.withLock { $0 } }
}
