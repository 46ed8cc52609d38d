import CamrigModel
import Capture
import Frames
import Testing

@Suite("A camera whose H.264 nobody can decode", .timeLimit(.minutes(5)))
struct CameraUndecodableTests {
  private static let without = "without which its H.264 cannot be decoded"
  private static let noSets = "it sends no parameter sets (SPS and PPS), \(without)"
  private static let noKeyframe = "it sends no keyframe, even when asked for one, \(without)"

  /// It offers H.264 at 30 a second, and another format at 10: the policy takes H.264.
  private func bench(_ wish: FormatWish? = nil, others: Bool = true) throws -> CameraBench {
    let bench = try CameraBench()
    let raw = FormatDescription(
      fourcc: "YUYV", label: "", pixelFormat: .yuyv,
      sizes: [SizeDescription(size: FakeH264.size, rates: [FrameRate(10)])])
    bench.device.offer([FakeH264.format(30)] + (others ? [raw] : []))
    bench.device.obey()
    if let wish { bench.camera.setWish(wish) }
    bench.run()
    return bench
  }

  /// So many pictures of 100 ms each.
  private func push(_ count: Int, _ bytes: [UInt8], to bench: CameraBench) {
    for number in 0..<UInt32(count) { bench.device.push(.picture(number, bytes: bytes, after: .milliseconds(100))) }
  }

  @Test(
    "is asked for a keyframe after 2 s, and after 5 s opened in another format, which is said",
    arguments: [(FakeH264.refresh, noSets), (FakeH264.sets + FakeH264.next, noKeyframe), (FakeH264.next, noSets)])
  func takesOther(_ bytes: [UInt8], _ reason: String) throws {
    let bench = try bench()
    push(51, bytes, to: bench)
    bench.device.push(.picture(0))
    let items = words(try bench.items(55))
    #expect(items.suffix(3) == ["end stopped", "start 2", "frame 0"])
    #expect((3...4).contains(bench.device.keyframes))
    #expect(bench.device.wishes.map(\.pixelFormat) == [.h264, .yuyv])
    try bench.wait(for: .streaming)
    #expect(
      bench.camera.status.message == "streams YUYV 64x48 at 10 instead of H264 64x48 at 30: \(reason)")
    #expect(bench.sink.lines.filter { $0.event == .cameraFormatDiffers }.count == 1)
    #expect(bench.camera.status.problem == nil)
  }

  @Test("keeps that format for each opening, until it is plugged in anew")
  func keepsOther() throws {
    let bench = try bench()
    push(51, FakeH264.next, to: bench)
    bench.device.push(.picture(0))
    _ = try bench.items(55)
    bench.camera.setEnabled(false)
    _ = try bench.items(1)
    bench.camera.setEnabled(true)
    bench.device.push(.picture(0))
    _ = try bench.items(2)
    #expect(bench.device.wishes.map(\.pixelFormat) == [.h264, .yuyv, .yuyv])
    #expect(bench.camera.status.message.hasPrefix("streams YUYV 64x48 at 10 instead of H264"))
    bench.camera.detach()
    _ = try bench.items(1)
    bench.camera.attach(bench.device)
    bench.device.push(.picture(0, bytes: FakeH264.keyframe))
    _ = try bench.items(2)
    #expect(bench.device.wishes.last?.pixelFormat == .h264)
  }

  @Test(
    "stays as its user has chosen it, or as it cannot be otherwise, and that nothing can be recorded is said",
    arguments: [true, false])
  func obeysUser(_ isChosen: Bool) throws {
    let bench = try bench(isChosen ? FormatWish(pixelFormat: .h264) : nil, others: isChosen)
    push(60, FakeH264.refresh, to: bench)
    _ = try bench.items(61)
    #expect(bench.device.wishes.count == 1)
    #expect(bench.camera.status.state == .streaming)
    #expect(bench.camera.status.message.contains(Self.noSets))
    #expect(bench.camera.status.problem?.contains(Self.noSets) == true)
    #expect(bench.sink.lines.filter { $0.event == .cameraFailed }.count == 1)
    // It was only slow.
    bench.device.push(.picture(60, bytes: FakeH264.keyframe))
    _ = try bench.items(1)
    try bench.wait("all well") { bench.camera.status.message.isEmpty }
    #expect(bench.camera.status.problem == nil)
  }

  @Test("is none that has sent a keyframe once, however long the next one takes")
  func longGroups() throws {
    let bench = try bench()
    bench.device.push(.picture(0, bytes: FakeH264.keyframe))
    for number in UInt32(1)...200 {
      bench.device.push(.picture(number, bytes: FakeH264.next, after: .milliseconds(100)))
    }
    _ = try bench.items(202)
    #expect(bench.device.wishes.count == 1 && bench.device.keyframes == 0)
    #expect(bench.camera.status.message.isEmpty)
  }
}
