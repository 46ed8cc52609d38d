import CamrigModel
import Capture
import Frames
import Testing

@Suite("A camera that comes and goes", .timeLimit(.minutes(5)))
struct CameraHotplugTests {
  @Test("unplugged it is offline at once, and plugged in again it goes on by itself")
  func replugs() throws {
    let bench = try CameraBench(steps: [.picture(0), .fail(FakeTrouble.unplugged)])
    bench.run()
    #expect(words(try bench.items(3)) == ["start 1", "frame 0", "end unplugged"])
    try bench.wait(for: .offline)
    try bench.wait("close") { !bench.device.isOpen }
    bench.camera.detach()
    #expect(bench.camera.status.device == nil)

    let again = try FakeCameraDevice(bench.clock, [.picture(0)])
    bench.camera.attach(again)
    #expect(words(try bench.items(2)) == ["start 2", "frame 0"])
    try bench.wait(for: .streaming)
  }

  @Test("udev's word alone ends the stream too")
  func detaches() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.run()
    try bench.wait(for: .streaming)
    bench.camera.detach()
    bench.camera.detach()
    #expect(words(try bench.items(3)) == ["start 1", "frame 0", "end unplugged"])
    #expect(bench.camera.status.state == .offline)
    try bench.wait("close") { !bench.device.isOpen }
  }

  @Test("a device that says it is gone is not opened again before it is attached again")
  func leavesNodeAlone() throws {
    let bench = try CameraBench(steps: [.picture(0), .fail(FakeTrouble.unplugged)])
    bench.run()
    try bench.wait(for: .offline)
    bench.camera.retryNow()
    bench.camera.demand(.preview)
    #expect(bench.device.wishes.count == 1)
    // The same node: another presence of it.
    bench.camera.attach(bench.device)
    bench.device.push(.picture(5))
    try bench.wait(for: .streaming)
  }

  @Test("attaching what is attached changes nothing")
  func attachesOnce() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.run()
    try bench.wait(for: .streaming)
    bench.camera.attach(bench.device)
    bench.device.push(.picture(1))
    #expect(words(try bench.items(3)) == ["start 1", "frame 0", "frame 1"])
  }

  @Test("another size after replugging is another run with that size")
  func negotiatesAnew() throws {
    let bench = try CameraBench(steps: [.picture(0), .fail(FakeTrouble.unplugged)])
    bench.run()
    _ = try bench.items(3)
    bench.camera.detach()
    let other = VideoFormat(.nv12, PixelSize(width: 4, height: 4), rate: FrameRate(30))
    let again = try FakeCameraDevice(bench.clock, [.picture(0)])
    again.grant(other)
    bench.camera.attach(again)
    let items = try bench.items(2)
    guard case .started(let run) = items[0] else {
      Issue.record("no run")
      return
    }
    #expect(run.format == other)
    #expect(items[1].frame?.byteCount == 24)
    #expect(bench.camera.status.message == "asked GREY 8x8 at 30, got NV12 4x4 at 30")
    #expect(bench.sink.lines.contains { $0.event == .cameraFormatDiffers })
  }

  @Test("a node that udev has not made ours yet is tried again and not called broken")
  func waitsForUdev() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.device.failDescribing(FakeTrouble.forbidden, .device(.missing(path: FakeTrouble.node)), FakeTrouble.forbidden)
    bench.run()
    try bench.wait(for: .streaming)
    #expect(!bench.states.contains(.failed))
    #expect(bench.device.described == 4)
  }

  @Test("after five seconds the permission is called missing, with the cure, and tried further")
  func reportsPermission() throws {
    let bench = try CameraBench(pauses: 10, steps: [.picture(0)])
    for _ in 0..<10 { bench.device.failDescribing(FakeTrouble.forbidden) }
    bench.run()
    try bench.wait(for: .streaming)
    let failed = bench.statuses.filter { $0.state == .failed }
    #expect(!failed.isEmpty)
    #expect(failed.allSatisfy { $0.message.contains("group video") })
    #expect(bench.sink.lines.filter { $0.event == .cameraFailed }.count == 1)
  }

  @Test("a change of the captured signal starts a new run with the new size")
  func followsSource() throws {
    let bench = try CameraBench(steps: [.picture(0), .sourceChanged, .picture(0)])
    bench.run()
    #expect(words(try bench.items(5)) == ["start 1", "frame 0", "end reset", "start 2", "frame 0"])
    #expect(bench.device.described == 2)
  }
}
