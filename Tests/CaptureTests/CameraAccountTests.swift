import CamrigModel
import Capture
import Frames
import Testing

@Suite("The account of a camera's pictures", .timeLimit(.minutes(5)))
struct CameraAccountTests {
  @Test("every number is in one frame or one loss, with its cause")
  func accounts() throws {
    let bench = try CameraBench(
      steps: [
        .picture(3), .picture(4), .picture(7), .picture(8, flagged: true), .picture(9, bytes: []),
        .picture(10, bytes: [1, 2]), .picture(13, flagged: true), .picture(14),
      ])
    bench.run()
    #expect(
      words(try bench.items(11)) == [
        "start 1", "frame 3", "frame 4", "lost 5+2 driverGap", "frame 7", "lost 8+1 errorFlagged",
        "lost 9+1 empty", "lost 10+1 broken", "lost 11+2 driverGap", "lost 13+1 errorFlagged", "frame 14",
      ])
    try bench.wait("all given back") { bench.device.lent == 0 }
    let status = try #require(bench.camera.status.stream)
    #expect(status.frames == 4)
    #expect(status.lost == ["driverGap": 4, "errorFlagged": 2, "empty": 1, "broken": 1])
  }

  @Test("a count that begins anew is a new run, and the wrap of 32 bits is not")
  func resets() throws {
    let bench = try CameraBench(
      steps: [.picture(0xffff_ffff), .picture(0), .picture(1), .picture(0), .picture(1)])
    bench.run()
    #expect(
      words(try bench.items(8)) == [
        "start 1", "frame 4294967295", "frame 4294967296", "frame 4294967297", "end reset", "start 2", "frame 0",
        "frame 1",
      ])
    #expect(bench.device.wishes.count == 1)
  }

  @Test("buffers that the driver hands back with old numbers are no pictures")
  func ignoresHandedBack() throws {
    let bench = try CameraBench(
      steps: [.picture(0), .picture(1)]
        + (0..<8).map { _ in .picture(0, flagged: true, after: .zero) } + [.fail(FakeTrouble.unplugged)])
    bench.run()
    #expect(words(try bench.items(4)) == ["start 1", "frame 0", "frame 1", "end unplugged"])
    #expect(bench.device.lent == 0)
  }

  @Test("a picture is copied before its buffer is given back")
  func copies() throws {
    let bench = try CameraBench(steps: [.picture(0, bytes: (0..<80).map { UInt8($0) })])
    bench.run()
    let frame = try #require(try bench.items(2).last?.frame)
    #expect(frame.withBytes { Array($0) } == (0..<64).map { UInt8($0) })
    #expect(frame.size == FakeCameraDevice.size)
    #expect(frame.bytesPerLine == 8)
    #expect(bench.device.lent == 0)
  }

  @Test("times are the driver's, and strictly rise when its clock does not")
  func keepsTimes() throws {
    let bench = try CameraBench()
    let start = bench.clock.now
    let stamps: [Int64] = [10, 43, -4957, -4924, 142, 142, 0, 0]
    for (index, stamp) in stamps.enumerated() {
      bench.device.push(.picture(UInt32(index), stamp: start + .milliseconds(stamp)))
    }
    bench.run()
    let frames = try bench.items(9).compactMap(\.frame)
    #expect(frames.count == 8)
    #expect(frames[0].presentationTime == start + .milliseconds(10))
    #expect(frames[1].presentationTime == start + .milliseconds(43))
    for (earlier, later) in zip(frames, frames.dropFirst()) {
      #expect(earlier.presentationTime < later.presentationTime)
      #expect(later.presentationTime - earlier.presentationTime < .milliseconds(100))
    }
    #expect((bench.camera.status.stream?.oddities["clockJump"] ?? 0) >= 2)
  }

  @Test("spoilt pictures take nothing from the good ones, and are told once")
  func survivesSpoilt() throws {
    let steps = (UInt32(0)..<600).map { FakeCameraDevice.Step.picture($0, bytes: $0 % 8 == 0 ? nil : [0]) }
    let bench = try CameraBench(steps: steps)
    bench.run()
    var items: [StreamItem] = []
    while items.count < 601 { items += try bench.items(1) }
    #expect(items.compactMap(\.frame).count == 75)
    #expect(bench.camera.status.state == .streaming)
    #expect(bench.camera.status.message.contains("% of the pictures are spoilt"))
    #expect(bench.sink.lines.filter { $0.event == .cameraPicturesSpoilt }.count == 1)
    #expect(bench.lines.filter { $0.contains("a picture was dropped") }.count == 1)
  }

  @Test("a camera that lies about its size is believed after three pictures")
  func believesPictures() throws {
    let bench = try CameraBench()
    // As a picture's header would say it; raw ones cannot.
    let camera = Camera(
      id: CameraID("liar"), configuration: CaptureConfiguration(), clock: bench.clock, log: bench.sink.log,
      inspector: { _ in LyingInspector() }, sleeper: TestSleeper(bench.clock, pauses: 10)
    ) { _ in }
    defer { camera.shutdown() }
    camera.hub.add(bench.queue)
    let device = try FakeCameraDevice(bench.clock, (UInt32(0)..<5).map { .picture($0) })
    camera.demand(.take)
    camera.attach(device)
    let items = try bench.items(8)
    #expect(
      words(items) == [
        "start 1", "lost 0+1 broken", "lost 1+1 broken", "end reset", "start 2", "frame 2", "frame 3", "frame 4",
      ])
    guard case .started(let run) = items[4] else { return }
    #expect(run.format.size == PixelSize(width: 4, height: 4))
  }

  private struct LyingInspector: PictureInspector {
    func inspect(_ bytes: UnsafeRawBufferPointer, format: VideoFormat) -> PictureVerdict {
      .good(GoodPicture(range: 0..<16, size: PixelSize(width: 4, height: 4)))
    }
  }
}
