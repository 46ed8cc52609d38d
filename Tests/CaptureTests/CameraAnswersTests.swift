import CamrigModel
import Capture
import Codec
import TestSupport
import Testing

@Suite("What a camera answers to a recorder", .timeLimit(.minutes(5)))
struct CameraAnswersTests {
  private let busy = CaptureError.device(.busy(path: "/dev/fake0"))

  @Test("another format than the asked one is no reason that no picture comes")
  func noteIsNoProblem() throws {
    let bench = try CameraBench(steps: [.silence(.milliseconds(10))])
    bench.device.grant(VideoFormat(.nv12, PixelSize(width: 4, height: 4), rate: FrameRate(30)))
    bench.run()
    try bench.wait("note") { !bench.camera.status.message.isEmpty }
    #expect(bench.camera.status.state == .starting)
    #expect(bench.camera.status.problem == nil)
    bench.device.push(.picture(0))
    try bench.wait(for: .streaming)
    #expect(!bench.camera.status.message.isEmpty)
    #expect(bench.camera.status.problem == nil)
  }

  @Test("that another program holds it is one")
  func busyIsAProblem() throws {
    let bench = try CameraBench(pauses: 0)
    bench.device.failOpening([busy])
    bench.run()
    try bench.wait(for: .busy)
    #expect(bench.camera.status.problem == busy.description)
  }

  private func h264Bench() throws -> CameraBench {
    let bench = try CameraBench()
    bench.device.offer([FakeH264.format(30)])
    return bench
  }

  @Test("H.264 parameter sets that it sent only with the first picture are there for whoever comes later")
  func parameterSets() throws {
    let bench = try h264Bench()
    #expect(bench.camera.parameterSets == nil)
    bench.run()
    bench.device.push(.picture(0, bytes: FakeH264.keyframe), .picture(1, bytes: FakeH264.next))
    #expect(words(try bench.items(3)) == ["start 1", "frame 0", "frame 1"])
    let sets = try #require(bench.camera.parameterSets)
    #expect(sets.sequence == [FakeH264.sequenceParameters])
    #expect(sets.picture == [FakeH264.pictureParameters])
  }

  @Test("those of a stream that has ended are not given to the next one")
  func forgetsParameterSets() throws {
    let bench = try h264Bench()
    bench.run()
    bench.device.push(.picture(0, bytes: FakeH264.keyframe))
    _ = try bench.items(2)
    bench.device.push(.sourceChanged)
    #expect(words(try bench.items(2)).last == "start 2")
    #expect(bench.camera.parameterSets == nil)
  }
}
