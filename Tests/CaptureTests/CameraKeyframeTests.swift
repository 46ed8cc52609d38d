import CamrigModel
import Capture
import Frames
import Testing

@Suite("A camera whose pictures need those before them", .timeLimit(.minutes(5)))
struct CameraKeyframeTests {
  private let spoilt: [UInt8] = [1, 2, 3]

  /// It streams H.264: a keyframe, and a picture that needs it.
  private func bench(obeys: Bool = true) throws -> CameraBench {
    let bench = try CameraBench()
    bench.device.offer([FakeH264.format(30)])
    if obeys { bench.device.obey() }
    bench.run()
    bench.device.push(.picture(0, bytes: FakeH264.keyframe), .picture(1, bytes: FakeH264.next))
    _ = try bench.items(3)
    return bench
  }

  /// The next pictures have come, and what follows from them has been done.
  private func push(_ numbers: ClosedRange<UInt32>, to bench: CameraBench, after: Duration) throws {
    for number in numbers { bench.device.push(.picture(number, bytes: FakeH264.next, after: after)) }
    _ = try bench.items(numbers.count)
  }

  @Test(
    "after a loss it is asked for a keyframe at once, whatever was lost",
    arguments: [
      [.picture(5, bytes: FakeH264.next)], [.picture(2, flagged: true)], [.picture(2, bytes: [])],
      [.picture(2, bytes: [1, 2, 3])],
    ] as [[FakeCameraDevice.Step]])
  func asksAtOnce(_ loss: [FakeCameraDevice.Step]) throws {
    let bench = try bench()
    #expect(bench.device.keyframes == 0)
    for step in loss { bench.device.push(step) }
    try bench.wait("a request") { bench.device.keyframes == 1 }
  }

  @Test("a wish for a keyframe reaches it; a camera whose every picture is one is not asked")
  func wish() throws {
    let bench = try bench()
    bench.camera.requestKeyframe()
    try bench.wait("keyframe") { bench.device.keyframes == 1 }
    let jpeg = try CameraBench(steps: [.picture(0)])
    jpeg.run()
    try jpeg.wait(for: .streaming)
    jpeg.camera.requestKeyframe()
    jpeg.device.push(.picture(1))
    _ = try jpeg.items(3)
    #expect(jpeg.device.keyframes == 0)
  }

  @Test("as long as none comes it is asked again each second, and no more once one has come")
  func asksAgain() throws {
    let bench = try bench()
    for number in UInt32(2)...4 { bench.device.push(.picture(number, bytes: spoilt)) }
    _ = try bench.items(3)
    try push(5...10, to: bench, after: .milliseconds(100))
    #expect(bench.device.keyframes == 1)
    try push(11...40, to: bench, after: .milliseconds(100))
    bench.device.push(.picture(41, bytes: FakeH264.keyframe))
    _ = try bench.items(1)
    #expect((4...5).contains(bench.device.keyframes))
    let asked = bench.device.keyframes
    try push(42...80, to: bench, after: .milliseconds(100))
    #expect(bench.device.keyframes == asked)
  }

  @Test("a keyframe that comes of itself with the loss needs no request")
  func needsNone() throws {
    let bench = try bench()
    bench.device.push(.picture(9, bytes: FakeH264.keyframe))
    _ = try bench.items(2)
    try push(10...60, to: bench, after: .milliseconds(33))
    #expect(bench.device.keyframes == 0)
  }

  @Test("without the control it is asked once, and that is said once")
  func cannotBeAsked() throws {
    let bench = try bench(obeys: false)
    for number in UInt32(2)...100 { bench.device.push(.picture(number, bytes: spoilt, after: .milliseconds(100))) }
    _ = try bench.items(99)
    #expect(bench.device.keyframes == 1)
    #expect(bench.sink.lines.filter { $0.message.hasPrefix("it cannot be asked for a keyframe") }.count == 1)
  }

  @Test("one whose pictures stand alone is not asked")
  func standsAlone() throws {
    let bench = try CameraBench(steps: [.picture(0), .picture(5), .picture(6, flagged: true), .picture(7)])
    bench.device.obey()
    bench.run()
    #expect(words(try bench.items(6)).last == "frame 7")
    #expect(bench.device.keyframes == 0)
  }
}
