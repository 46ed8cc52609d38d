import CamrigModel
import Capture
import Frames
import Testing

@Suite("Why a camera gives no pictures", .timeLimit(.minutes(5)))
struct CameraCauseTests {
  @Test(
    "is a word for each kind of trouble, beside its sentence",
    arguments: [
      (FakeTrouble.busy, CameraState.busy, CameraCause.inUse), (FakeTrouble.noBandwidth, .failed, .noBandwidth),
      (.device(.startRefused(path: FakeTrouble.node, bus: "usb-1", errno: 12)), .failed, .noBandwidth),
      (.device(.startRefused(path: FakeTrouble.node, bus: "usb-1", errno: 5)), .failed, .deviceError),
      (.device(.startRefused(path: FakeTrouble.node, bus: "PCI:0000:03:00.0", errno: 12)), .failed, .deviceError),
      (FakeTrouble.noSignal, .failed, .noSignal),
      (.device(.tooFewBuffers(path: FakeTrouble.node, count: 1, least: 4)), .failed, .deviceError),
      (.device(.refused(path: FakeTrouble.node, call: "S_FMT", errno: 110)), .failed, .deviceError),
      (.device(.noUsableFormat(path: FakeTrouble.node, fourcc: "RELI")), .failed, .noUsableFormat),
      (FakeTrouble.unplugged, .offline, .unplugged),
    ])
  func words(_ error: CaptureError, _ state: CameraState, _ cause: CameraCause) throws {
    let bench = try CameraBench(pauses: 0, { $0.allowSmallerFormats = false })
    bench.device.failStarting(error)
    bench.run()
    try bench.wait(for: state)
    let status = bench.camera.status
    #expect(status.cause == cause)
    #expect(!status.message.isEmpty)
  }

  @Test("no picture has the word of its reason where a capture card knows it: nothing is plugged into it")
  func noSignal() throws {
    let bench = try CameraBench(pauses: 0, steps: [.picture(0), .silence(.seconds(30))])
    bench.device.lose(signal: FakeTrouble.noSignal)
    bench.run()
    try bench.wait(for: .failed)
    #expect(bench.camera.status.cause == .noSignal)
    #expect(bench.camera.status.message.contains("Switch on what is plugged in there"))
  }

  @Test("missing permission has its word once udev has had its time")
  func permission() throws {
    let bench = try CameraBench(pauses: 30)
    // More failures than pauses: it stays failed, however late this thread looks.
    for _ in 0..<60 { bench.device.failDescribing(FakeTrouble.forbidden) }
    bench.run()
    try bench.wait(for: .failed)
    #expect(bench.camera.status.cause == .noPermission)
  }

  @Test("formats that nobody knows, and a camera that is switched off or away, have theirs")
  func others() throws {
    let bench = try CameraBench(pauses: 0)
    #expect(bench.camera.status.cause == .unplugged)
    bench.device.offer([FormatDescription(fourcc: "RELI", label: "", pixelFormat: nil, sizes: [])])
    bench.run()
    try bench.wait(for: .failed)
    #expect(bench.camera.status.cause == .noUsableFormat)
    bench.camera.setEnabled(false)
    #expect(bench.camera.status.cause == .disabled)
  }

  @Test("while pictures come it says what is wrong with them, and nothing when all is well")
  func pictures() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.run()
    try bench.wait(for: .streaming)
    #expect(bench.camera.status.cause == nil)
    for number in UInt32(1)..<400 { bench.device.push(.picture(number, bytes: number % 4 == 0 ? [0] : nil)) }
    try bench.wait("it is told") { bench.camera.status.cause == .spoiltPictures }
  }

  @Test("another format than the one that was asked for has its word, too")
  func otherFormat() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.camera.setWish(FormatWish(size: PixelSize(width: 16, height: 16)))
    bench.run()
    try bench.wait(for: .streaming)
    #expect(bench.camera.status.cause == .otherFormat)
  }

  @Test("it is known since when: a state that lasts keeps its time, however often it is looked at or tried")
  func since() throws {
    let bench = try CameraBench(steps: [.picture(0), .picture(1)])
    bench.run()
    _ = try bench.items(3)
    let began = try #require(bench.camera.status.since)
    for number in UInt32(2)..<62 { bench.device.push(.picture(number)) }
    _ = try bench.items(60)
    #expect(bench.camera.status.since == began)
    bench.device.push(.silence(.milliseconds(800)))
    try bench.wait(for: .stalled)
    let status = bench.camera.status
    #expect(status.cause == .stalled)
    #expect((status.since?.nanoseconds ?? 0) - began.nanoseconds >= 2_000_000_000)
  }
}
