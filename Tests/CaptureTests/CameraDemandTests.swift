import CamrigModel
import Capture
import Frames
import Testing

@Suite("A camera that is wanted and not", .timeLimit(.minutes(5)))
struct CameraDemandTests {
  @Test("plugged in and not wanted it is described, and neither opened nor held")
  func idles() throws {
    let bench = try CameraBench()
    #expect(bench.camera.status.state == .offline)
    bench.camera.attach(bench.device)
    try bench.wait("description") { bench.camera.status.device != nil }
    #expect(bench.camera.status.state == .idle)
    #expect(bench.device.wishes.isEmpty)
  }

  @Test("it opens when somebody wants it, also if that was said before it was plugged in")
  func opens() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.camera.demand(.preview)
    #expect(bench.camera.status.state == .offline)
    bench.camera.attach(bench.device)
    #expect(words(try bench.items(2)) == ["start 1", "frame 0"])
    try bench.wait(for: .streaming)
    #expect(bench.camera.status.granted?.description == "GREY 8x8 at 30")
    #expect(bench.camera.status.stream?.frames == 1)
  }

  @Test("it stays open as long as anybody wants it, and the grace time after that")
  func closesAfterGrace() throws {
    let bench = try CameraBench({ $0.graceTime = .seconds(2) }, steps: [.picture(0)])
    bench.camera.demand(.preview)
    bench.camera.demand(.preview)
    bench.run()
    try bench.wait(for: .streaming)
    bench.camera.release(.preview)
    bench.camera.release(.take)
    for sequence in UInt32(1)...200 { bench.device.push(.picture(sequence)) }
    #expect(try bench.items(202).count == 202)
    #expect(bench.camera.status.state == .streaming)

    bench.camera.release(.preview)
    #expect(bench.camera.status.state == .streaming)
    for sequence in UInt32(201)...300 { bench.device.push(.picture(sequence)) }
    try bench.wait(for: .idle)
    let rest = words(try bench.itemsToEnd())
    #expect(rest.last == "end stopped")
    // 2 s at 30 pictures a second.
    #expect((55...65).contains(rest.count))
    try bench.wait("close") { !bench.device.isOpen }
  }

  @Test("it closes after the grace time even if no picture comes")
  func closesSilentCamera() throws {
    let bench = try CameraBench({ $0.graceTime = .seconds(2) }, steps: [.picture(0)])
    bench.run()
    try bench.wait(for: .streaming)
    bench.camera.release(.take)
    bench.device.push(.silence(.seconds(60)))
    try bench.wait(for: .idle)
    #expect(words(try bench.items(3)).last == "end stopped")
  }

  @Test("who wants it within the grace time finds it open, with its pre-roll")
  func keepsPreroll() throws {
    let bench = try CameraBench(steps: [.picture(0), .picture(1)])
    bench.run()
    try bench.wait("picture") { bench.camera.hub.newest?.sequence == 1 }
    bench.camera.release(.take)
    bench.camera.demand(.take)
    let late = FrameQueue(capacity: .seconds(100), capacityBytes: 1 << 20)
    bench.camera.hub.add(late, preroll: .seconds(5))
    #expect(words(late.take(timeout: .zero) ?? []) == ["start 1", "frame 0", "frame 1"])
    #expect(bench.device.wishes.count == 1)
  }

  @Test("switched off it stops at once, switched on it goes on")
  func disables() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.run()
    try bench.wait(for: .streaming)
    bench.camera.setEnabled(false)
    #expect(bench.camera.status.state == .disabled)
    #expect(words(try bench.items(3)) == ["start 1", "frame 0", "end stopped"])
    bench.camera.setEnabled(true)
    bench.device.push(.picture(0))
    #expect(words(try bench.items(2)) == ["start 2", "frame 0"])
  }

  @Test("after its shutdown nothing is open and nothing starts")
  func shutsDown() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.run()
    try bench.wait(for: .streaming)
    bench.camera.shutdown()
    #expect(!bench.device.isOpen)
    #expect(words(try bench.items(3)) == ["start 1", "frame 0", "end stopped"])
    bench.camera.demand(.preview)
    #expect(bench.device.wishes.count == 1)
  }
}
