import CamrigModel
import Capture
import Frames
import Testing

@Suite("A camera that does not start", .timeLimit(.minutes(5)))
struct CameraFallbackTests {
  private func mjpegAndRaw() -> [FormatDescription] {
    func sizes(_ rates: Int...) -> [SizeDescription] {
      [PixelSize(width: 8, height: 8), PixelSize(width: 4, height: 4)].map {
        SizeDescription(size: $0, rates: rates.map { FrameRate($0) })
      }
    }
    return [
      FormatDescription(fourcc: "GREY", label: "", pixelFormat: .grey, sizes: sizes(30, 15)),
      FormatDescription(fourcc: "YUYV", label: "", pixelFormat: .yuyv, sizes: sizes(10)),
    ]
  }

  @Test("without room on the bus a smaller format is taken, and the status says so")
  func takesSmaller() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.device.offer(mjpegAndRaw())
    bench.device.failStarting(FakeTrouble.noBandwidth)
    bench.run()
    try bench.wait(for: .streaming)
    #expect(bench.camera.status.granted?.description == "GREY 8x8 at 15")
    #expect(
      bench.camera.status.message.hasPrefix("streams GREY 8x8 at 15 instead of GREY 8x8 at 30: /dev/fake0 cannot start")
    )
    #expect(bench.camera.status.message.contains("USB bandwidth of usb-1"))
    #expect(bench.sink.lines.filter { $0.event == .cameraFormatDiffers }.count == 1)
    #expect(!bench.states.contains(.failed))
  }

  @Test("what was chosen stays over a restart, and a new wish begins anew")
  func keepsChoice() throws {
    let bench = try CameraBench(steps: [.picture(0), .picture(1), .silence(.milliseconds(3100)), .picture(0)])
    bench.device.offer(mjpegAndRaw())
    bench.device.failStarting(FakeTrouble.noBandwidth)
    bench.run()
    _ = try bench.items(6)
    #expect(bench.device.wishes.map(\.rate) == [FrameRate(30), FrameRate(15), FrameRate(15)])
    bench.camera.setWish(FormatWish(size: PixelSize(width: 8, height: 8)))
    bench.device.push(.picture(0))
    #expect(words(try bench.items(3)) == ["end stopped", "start 3", "frame 0"])
    #expect(bench.device.wishes.last?.rate == FrameRate(30))
  }

  @Test("if smaller formats are not allowed it fails, in words that name the bus, and is tried again")
  func obeysConfiguration() throws {
    let bench = try CameraBench(pauses: 0, { $0.allowSmallerFormats = false }, steps: [.picture(0)])
    bench.device.offer(mjpegAndRaw())
    bench.device.failStarting(FakeTrouble.noBandwidth)
    bench.run()
    try bench.wait(for: .failed)
    #expect(bench.camera.status.message.contains("usb-1"))
    #expect(bench.sink.lines.filter { $0.event == .cameraFailed }.count == 1)
    bench.camera.retryNow()
    try bench.wait(for: .streaming)
    #expect(bench.camera.status.message.isEmpty)
  }

  @Test(
    "other errors of the start are taken for the same trouble, and that of a read for a broken format",
    arguments: [
      (12, "GREY 8x8 at 15"), (90, "GREY 8x8 at 15"), (32, "GREY 8x8 at 15"), (71, "GREY 8x8 at 15"),
      (5, "YUYV 8x8 at 10"),
    ] as [(Int32, String)])
  func knowsOtherErrors(_ errno: Int32, _ granted: String) throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.device.offer(mjpegAndRaw())
    bench.device.failStarting(.device(.startRefused(path: FakeTrouble.node, bus: "usb-1", errno: errno)))
    bench.run()
    try bench.wait(for: .streaming)
    #expect(bench.camera.status.granted?.description == granted)
    #expect(bench.camera.status.message.contains("errno \(errno)"))
  }

  @Test("an error of the first second leads to another format, a later one to the same")
  func triesOtherFormat() throws {
    let bench = try CameraBench(steps: [
      .picture(0), .fail(FakeTrouble.readError), .picture(0),
    ])
    bench.device.offer(mjpegAndRaw())
    bench.run()
    #expect(words(try bench.items(5)) == ["start 1", "frame 0", "end failed", "start 2", "frame 0"])
    #expect(bench.device.wishes.map(\.pixelFormat) == [.grey, .yuyv])
    for sequence in UInt32(1)...30 {
      bench.device.push(.picture(sequence, after: .milliseconds(100)))
    }
    bench.device.push(.fail(FakeTrouble.readError), .picture(0))
    _ = try bench.items(33)
    #expect(bench.device.wishes.map(\.pixelFormat) == [.grey, .yuyv, .yuyv])
  }

  @Test("a full bus at all sizes is a failure that is tried again from the best format on")
  func endsLadder() throws {
    let bench = try CameraBench(pauses: 0)
    bench.device.offer(mjpegAndRaw())
    for _ in 0..<20 { bench.device.failStarting(FakeTrouble.noBandwidth) }
    bench.run()
    try bench.wait(for: .failed)
    #expect((2...6).contains(bench.device.wishes.count))
    #expect(Set(bench.device.wishes).count == bench.device.wishes.count)
  }

  @Test("a camera with formats that nobody knows says which")
  func namesFormats() throws {
    let bench = try CameraBench(pauses: 0)
    bench.device.offer([FormatDescription(fourcc: "RELI", label: "", pixelFormat: nil, sizes: [])])
    bench.run()
    try bench.wait(for: .failed)
    #expect(bench.camera.status.message.contains("/dev/fake0 offers only RELI"))
  }

  @Test("a wish that leads to another format opens the camera anew; one that does not leaves it alone")
  func obeysWish() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.device.offer(mjpegAndRaw())
    bench.run()
    try bench.wait(for: .streaming)
    bench.camera.setWish(FormatWish(pixelFormat: .grey))
    bench.device.push(.picture(1))
    #expect(words(try bench.items(3)) == ["start 1", "frame 0", "frame 1"])
    bench.camera.setWish(FormatWish(size: PixelSize(width: 4, height: 4)))
    bench.device.push(.picture(0))
    let items = try bench.items(3)
    #expect(words(items) == ["end stopped", "start 2", "frame 0"])
    #expect(items.last?.frame?.size == PixelSize(width: 4, height: 4))
  }

  @Test("a size that is not offered is replaced and said")
  func saysWhatDiffers() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.camera.setWish(FormatWish(size: PixelSize(width: 16, height: 16)))
    bench.run()
    try bench.wait(for: .streaming)
    #expect(bench.camera.status.message == "asked 16x16, got GREY 8x8 at 30")
  }

  @Test("a capture card that scales is opened in the size of its signal, whatever that is, unless it is too large")
  func followsSignal() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.device.offer([
      FormatDescription(
        fourcc: "GREY", label: "", pixelFormat: .grey,
        sizes: [
          SizeDescription(
            size: PixelSize(width: 4096, height: 2160), smallest: PixelSize(width: 16, height: 16),
            step: PixelSize(width: 2, height: 2), rates: [FrameRate(30)])
        ])
    ])
    func format(_ items: [StreamItem]) -> String? {
      items.compactMap { if case .started(let run) = $0 { run.format.size.description } else { nil } }.last
    }
    bench.device.get(signal: PixelSize(width: 640, height: 480))
    bench.run()
    #expect(format(try bench.items(2)) == "640x480")
    let signals = [
      (PixelSize(width: 720, height: 480), "720x480"), (PixelSize(width: 3840, height: 2160), "1920x1080"),
    ]
    for (signal, size) in signals {
      bench.device.get(signal: signal)
      bench.device.push(.sourceChanged, .picture(0))
      #expect(format(try bench.items(3)) == size)
    }
    bench.device.push(.picture(0))
    bench.camera.setWish(FormatWish(size: PixelSize(width: 320, height: 240)))
    #expect(format(try bench.items(3)) == "320x240")
    // Each new signal costs one opening more, and one more look at what it offers.
    #expect(bench.device.openedAt.count == 7)
    #expect(bench.camera.status.message.isEmpty)
  }

  @Test("a signal that is another one at each opening is told, and tried with pauses until it stays")
  func flappingSignal() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    let sizes = [PixelSize(width: 640, height: 480), PixelSize(width: 720, height: 480)]
    bench.device.get(signals: (0..<12).map { sizes[$0 % 2] })
    bench.run()
    try bench.wait(for: .streaming)
    let times = bench.device.openedAt
    #expect(times.count == 13)
    // At once for the first two, with a pause before each further one.
    #expect(zip(times, times.dropFirst()).dropFirst(2).allSatisfy { ($1 - $0).inNanoseconds >= 400_000_000 })
    #expect(bench.statuses.contains { $0.cause == .noSignal && $0.message.contains("cannot follow the signal") })
    #expect(bench.camera.status.cause == nil)
  }
}
