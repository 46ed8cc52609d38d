import CamrigModel
import Capture
import Frames
import Testing

@Suite("A camera that sends nothing", .timeLimit(.minutes(5)))
struct CameraStallTests {
  @Test("after half a second it is stalled, and with the next picture it is not")
  func stalls() throws {
    let bench = try CameraBench(steps: [.picture(0), .picture(1), .silence(.milliseconds(600)), .picture(2)])
    bench.run()
    #expect(words(try bench.items(4)) == ["start 1", "frame 0", "frame 1", "frame 2"])
    try bench.wait("the last state is told") { bench.states.suffix(3) == [.streaming, .stalled, .streaming] }
    #expect(bench.sink.lines.filter { $0.event == .cameraStalled }.count == 1)
  }

  @Test("after three seconds it is closed and opened again")
  func restarts() throws {
    let bench = try CameraBench(steps: [.picture(0), .picture(1), .silence(.milliseconds(3100)), .picture(0)])
    bench.run()
    #expect(words(try bench.items(6)) == ["start 1", "frame 0", "frame 1", "end stalled", "start 2", "frame 0"])
    #expect(bench.device.wishes.count == 2)
    try bench.wait(for: .streaming)
  }

  @Test("vain restarts come with growing pauses, and the camera is not given up")
  func backsOff() throws {
    let bench = try CameraBench(steps: [.silence(.seconds(200)), .picture(0)])
    bench.run()
    try bench.wait(for: .streaming)
    let times = bench.device.openedAt
    #expect((4...20).contains(times.count))
    #expect(bench.states.contains(.stalled))
  }

  @Test("a capture card without a signal is tried again within two seconds until it has one")
  func noSignal() throws {
    let bench = try CameraBench(steps: [.picture(0), .silence(.seconds(30)), .picture(0)])
    bench.device.lose(signal: FakeTrouble.noSignal)
    bench.run()
    #expect(words(try bench.items(3)) == ["start 1", "frame 0", "end failed"])
    try bench.wait("it is tried until a picture comes") {
      bench.states.count > 3 && bench.camera.status.state == .streaming
    }
    #expect(bench.states.contains(.failed))
    let times = bench.device.openedAt
    #expect(times.count >= 6)
    // Three seconds without a picture, or longer for one that was slow before, then the pause.
    #expect(zip(times, times.dropFirst()).allSatisfy { ($1 - $0).inNanoseconds <= 5_100_000_000 })
    #expect(bench.camera.status.cause == nil)
  }

  @Test("a picture each two seconds is recorded without a restart")
  func followsExposure() throws {
    let steps = (UInt32(0)..<30).map { FakeCameraDevice.Step.picture($0) }
    let bench = try CameraBench(steps: steps)
    bench.run()
    _ = try bench.items(31)
    for sequence in UInt32(30)..<60 { bench.device.push(.silence(.seconds(2)), .picture(sequence)) }
    #expect(words(try bench.items(30)) == (30..<60).map { "frame \($0)" })
    #expect(bench.device.wishes.count == 1)
  }
}
