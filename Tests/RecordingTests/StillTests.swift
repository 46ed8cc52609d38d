import CamrigModel
import Recording
import TestSupport
import Testing

@Suite("A photo in the camera's largest size", .timeLimit(.minutes(5)))
struct StillTests {
  private let shutter = TestShutter()
  private let small = PixelSize(width: 64, height: 48)
  private let large = PixelSize(width: 160, height: 120)
  private let wishes = Wishes()

  final class Wishes: Sendable { let all = Guarded<[FormatWish?]>([]) }

  private func camera(_ stream: TestStream) -> PhotoCamera {
    let device = DeviceDescription(
      driver: "x", card: "x", bus: "x", node: "/dev/video0",
      formats: [
        FormatDescription(
          fourcc: "MJPG", label: "", pixelFormat: .mjpeg,
          sizes: [small, large].map { SizeDescription(size: $0, rates: [FrameRate(25)]) })
      ])
    return stream.photoCamera(device: device, setStill: { [wishes] wish in wishes.all.withLock { $0.append(wish) } })
  }

  private func take(_ cameras: [PhotoCamera], isRecording: Bool = false) async throws -> ShotStarted {
    try await shutter.taker.take(
      PhotoWish(PhotoTakeRequest(source: .still)), cameras: cameras, isRecording: isRecording)
  }

  @Test("the format is switched, the first good picture of the new one taken, and the format given back")
  func switches() async throws {
    let left = shutter.camera("left")
    let started = try await take([camera(left)])
    await eventually { !self.wishes.all.withLock { $0.isEmpty } }
    #expect(wishes.all.withLock { $0 } == [FormatWish(pixelFormat: .mjpeg, size: large)])
    // What still comes in the old size is not it.
    left.frame(TestStream.jpeg(120, small))
    left.end(.stopped)
    left.begin(size: large)
    let (jpeg, size) = (TestStream.jpeg(120, large), large)
    let record = await shutter.end(started.shot) { left.frame(jpeg, size) }
    #expect(record.source == .still)
    #expect(record.photos.map(\.width) == [160])
    #expect(wishes.all.withLock { $0 } == [FormatWish(pixelFormat: .mjpeg, size: large), nil])
  }

  @Test("a camera that streams its largest size already is not disturbed")
  func already() async throws {
    let left = shutter.camera("left", size: large)
    let started = try await take([camera(left)])
    let jpeg = TestStream.jpeg(120, large)
    let record = await shutter.end(started.shot) { left.frame(jpeg) }
    #expect(record.photos.count == 1 && wishes.all.withLock { $0.isEmpty })
  }

  @Test("while recording it is refused with the reason")
  func recording() async throws {
    let left = shutter.camera("left")
    await #expect(throws: PhotoError.stillWhileRecording) { try await take([camera(left)], isRecording: true) }
    await shutter.taker.recordingBegins()
    await #expect(throws: PhotoError.stillWhileRecording) { try await take([camera(left)]) }
    await shutter.taker.recordingBegan()
    #expect(wishes.all.withLock { $0.isEmpty })
  }

  @Test("a take that begins ends it, and has its format before it begins")
  func recordingBegins() async throws {
    let left = shutter.camera("left")
    let started = try await take([camera(left)])
    await eventually { !self.wishes.all.withLock { $0.isEmpty } }
    await shutter.taker.recordingBegins()
    #expect(wishes.all.withLock { $0 }.last == .some(nil))
    // What it has on its way to the volume holds up no take.
    await eventually { self.shutter.finished.map(\.shot) == [started.shot] }
    await shutter.taker.recordingBegan()
  }
}
