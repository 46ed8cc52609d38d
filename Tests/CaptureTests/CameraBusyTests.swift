import CamrigModel
import Capture
import Testing

@Suite("A camera that another program holds", .timeLimit(.minutes(5)))
struct CameraBusyTests {
  @Test("it is tried with growing pauses of at most 10 s, and told once")
  func backsOff() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.device.failOpening([CaptureError](repeating: FakeTrouble.busy, count: 10))
    bench.run()
    try bench.wait(for: .streaming)
    #expect(bench.states.contains(.busy))
    let times = bench.device.openedAt
    #expect(times.count == 11)
    let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(pauses.first == .milliseconds(500))
    #expect(pauses.allSatisfy { $0 <= .seconds(10) })
    #expect(pauses == pauses.sorted())
    #expect(bench.sink.lines.filter { $0.event == .cameraBusy }.count == 1)
  }

  @Test("it is tried at once when its node was closed")
  func retriesNow() throws {
    let bench = try CameraBench(pauses: 0, steps: [.picture(0)])
    bench.device.failOpening([FakeTrouble.busy])
    bench.run()
    try bench.wait(for: .busy)
    #expect(bench.camera.status.message == "/dev/fake0 is in use by another program. Find it with: fuser -v /dev/fake0")
    bench.camera.retryNow()
    try bench.wait(for: .streaming)
  }

  @Test("while nobody wants it, it is listed as busy, and as free when it is")
  func listsBusy() throws {
    let bench = try CameraBench()
    bench.device.hold(true)
    bench.camera.attach(bench.device)
    try bench.wait(for: .busy)
    #expect(bench.camera.status.device != nil)
    bench.device.hold(false)
    bench.camera.retryNow()
    try bench.wait(for: .idle)
    #expect(bench.device.wishes.isEmpty)
    #expect(bench.device.described == 1)
  }

  @Test("looked at again it is free as soon as it is; wanted, it is tried in its own time")
  func looksAgain() throws {
    let bench = try CameraBench(pauses: 0, steps: [.picture(0)])
    bench.device.hold(true)
    bench.camera.attach(bench.device)
    try bench.wait(for: .busy)
    bench.camera.look()
    bench.device.hold(false)
    bench.camera.look()
    try bench.wait(for: .idle)

    bench.device.failOpening([FakeTrouble.busy])
    bench.camera.demand(.take)
    try bench.wait(for: .busy)
    bench.camera.look()
    #expect(bench.device.openedAt.count == 1)
    bench.camera.retryNow()
    try bench.wait(for: .streaming)
    #expect(bench.device.openedAt.count == 2)
  }

  @Test("it is not opened before the time that it is held off to")
  func holdsOff() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    let time = bench.clock.now + .seconds(2)
    bench.camera.holdOff(until: time)
    bench.run()
    try bench.wait(for: .streaming)
    #expect(bench.device.openedAt.allSatisfy { $0 >= time })
  }
}
