import CamrigModel
import Capture
import Codec
import TestSupport
import Testing

@Suite("What a camera answers to a recorder", .timeLimit(.minutes(2)))
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

  // 64x48, made by x264.
  private static let sets: [UInt8] = [
    0, 0, 0, 1, 0x67, 0x42, 0xc0, 0x0a, 0xda, 0x11, 0xec, 0x04, 0x40, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00, 0x00, 0x0f,
    0x03, 0xc4, 0x89, 0xa8, 0, 0, 0, 1, 0x68, 0xce, 0x0f, 0xc8,
  ]
  private static let refresh: [UInt8] = [
    0, 0, 1, 0x65, 0x88, 0x84, 0x3a, 0x26, 0x28, 0x00, 0x90, 0x2c, 0x9c, 0x9c, 0x9c, 0x9d, 0x75, 0xd7, 0x5d, 0x75, 0xd7,
    0x5e,
  ]
  private static let next: [UInt8] = [0, 0, 0, 1, 0x41, 0x9a, 0x20, 0x3e, 0x86, 0xc0]

  private func h264Bench() throws -> CameraBench {
    let bench = try CameraBench()
    let size = PixelSize(width: 64, height: 48)
    bench.device.offer([
      FormatDescription(
        fourcc: "H264", label: "H.264", pixelFormat: .h264,
        sizes: [SizeDescription(size: size, rates: [FrameRate(30)])])
    ])
    return bench
  }

  @Test("H.264 parameter sets that it sent only with the first picture are there for whoever comes later")
  func parameterSets() throws {
    let bench = try h264Bench()
    #expect(bench.camera.parameterSets == nil)
    bench.run()
    bench.device.push(.picture(0, bytes: Self.sets + Self.refresh), .picture(1, bytes: Self.next))
    #expect(words(try bench.items(3)) == ["start 1", "frame 0", "frame 1"])
    let sets = try #require(bench.camera.parameterSets)
    #expect(sets.sequence == [Array(Self.sets[4..<25])])
    #expect(sets.picture == [Array(Self.sets[29...])])
  }

  @Test("those of a stream that has ended are not given to the next one")
  func forgetsParameterSets() throws {
    let bench = try h264Bench()
    bench.run()
    bench.device.push(.picture(0, bytes: Self.sets + Self.refresh))
    _ = try bench.items(2)
    bench.device.push(.sourceChanged)
    #expect(words(try bench.items(2)).last == "start 2")
    #expect(bench.camera.parameterSets == nil)
  }
}
