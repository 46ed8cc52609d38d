import CamrigModel
import Capture
import Frames
import TestSupport
import Testing

private let node = "/dev/fake0"
private let unplugged = CaptureError.device(.unplugged(path: node))
private let busy = CaptureError.device(.busy(path: node))
private let forbidden = CaptureError.device(.permission(path: node))
private let noBandwidth = CaptureError.device(.noBandwidth(path: node, bus: "usb-1"))
private let readError = CaptureError.device(.refused(path: node, call: "DQBUF", errno: 5))

@Suite("A camera that is wanted and not", .timeLimit(.minutes(2)))
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

  @Test("a wish for a keyframe reaches the device")
  func asksForKeyframe() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.run()
    try bench.wait(for: .streaming)
    bench.camera.requestKeyframe()
    try bench.wait("keyframe") { bench.device.keyframes == 1 }
  }
}

@Suite("The account of a camera's pictures", .timeLimit(.minutes(2)))
struct CameraAccountTests {
  @Test("every number is in one frame or one loss, with its cause")
  func accounts() throws {
    let bench = try CameraBench(
      steps: [
        .picture(3), .picture(4), .picture(7), .picture(8, flagged: true), .picture(9, bytes: []),
        .picture(10, bytes: [1, 2]), .picture(13, flagged: true), .picture(14),
      ])
    bench.run()
    #expect(
      words(try bench.items(11)) == [
        "start 1", "frame 3", "frame 4", "lost 5+2 driverGap", "frame 7", "lost 8+1 errorFlagged",
        "lost 9+1 empty", "lost 10+1 broken", "lost 11+2 driverGap", "lost 13+1 errorFlagged", "frame 14",
      ])
    try bench.wait("all given back") { bench.device.lent == 0 }
    let status = try #require(bench.camera.status.stream)
    #expect(status.frames == 4)
    #expect(status.lost == ["driverGap": 4, "errorFlagged": 2, "empty": 1, "broken": 1])
  }

  @Test("a count that begins anew is a new run, and the wrap of 32 bits is not")
  func resets() throws {
    let bench = try CameraBench(
      steps: [.picture(0xffff_ffff), .picture(0), .picture(1), .picture(0), .picture(1)])
    bench.run()
    #expect(
      words(try bench.items(8)) == [
        "start 1", "frame 4294967295", "frame 4294967296", "frame 4294967297", "end reset", "start 2", "frame 0",
        "frame 1",
      ])
    #expect(bench.device.wishes.count == 1)
  }

  @Test("buffers that the driver hands back with old numbers are no pictures")
  func ignoresHandedBack() throws {
    let bench = try CameraBench(
      steps: [.picture(0), .picture(1)]
        + (0..<8).map { _ in .picture(0, flagged: true, after: .zero) } + [.fail(unplugged)])
    bench.run()
    #expect(words(try bench.items(4)) == ["start 1", "frame 0", "frame 1", "end unplugged"])
    #expect(bench.device.lent == 0)
  }

  @Test("a picture is copied before its buffer is given back")
  func copies() throws {
    let bench = try CameraBench(steps: [.picture(0, bytes: (0..<80).map { UInt8($0) })])
    bench.run()
    let frame = try #require(try bench.items(2).last?.frame)
    #expect(frame.withBytes { Array($0) } == (0..<64).map { UInt8($0) })
    #expect(frame.size == FakeCameraDevice.size)
    #expect(frame.bytesPerLine == 8)
    #expect(bench.device.lent == 0)
  }

  @Test("times are the driver's, and strictly rise when its clock does not")
  func keepsTimes() throws {
    let bench = try CameraBench()
    let start = bench.clock.now
    let stamps: [Int64] = [10, 43, -4957, -4924, 142, 142, 0, 0]
    for (index, stamp) in stamps.enumerated() {
      bench.device.push(.picture(UInt32(index), stamp: start + .milliseconds(stamp)))
    }
    bench.run()
    let frames = try bench.items(9).compactMap(\.frame)
    #expect(frames.count == 8)
    #expect(frames[0].presentationTime == start + .milliseconds(10))
    #expect(frames[1].presentationTime == start + .milliseconds(43))
    for (earlier, later) in zip(frames, frames.dropFirst()) {
      #expect(earlier.presentationTime < later.presentationTime)
      #expect(later.presentationTime - earlier.presentationTime < .milliseconds(100))
    }
    #expect((bench.camera.status.stream?.oddities["clockJump"] ?? 0) >= 2)
  }

  @Test("spoilt pictures take nothing from the good ones, and are told once")
  func survivesSpoilt() throws {
    let steps = (UInt32(0)..<600).map { FakeCameraDevice.Step.picture($0, bytes: $0 % 8 == 0 ? nil : [0]) }
    let bench = try CameraBench(steps: steps)
    bench.run()
    var items: [StreamItem] = []
    while items.count < 601 { items += try bench.items(1) }
    #expect(items.compactMap(\.frame).count == 75)
    #expect(bench.camera.status.state == .streaming)
    #expect(bench.camera.status.message.contains("% of the pictures are spoilt"))
    #expect(bench.sink.lines.filter { $0.event == .cameraPicturesSpoilt }.count == 1)
    #expect(bench.lines.filter { $0.contains("a picture was dropped") }.count == 1)
  }

  @Test("a camera that lies about its size is believed after three pictures")
  func believesPictures() throws {
    let bench = try CameraBench()
    // As a picture's header would say it; raw ones cannot.
    let camera = Camera(
      id: CameraID("liar"), configuration: CaptureConfiguration(), clock: bench.clock, log: bench.sink.log,
      inspector: { _ in LyingInspector() }, sleeper: TestSleeper(bench.clock, pauses: 10)
    ) { _ in }
    defer { camera.shutdown() }
    camera.hub.add(bench.queue)
    let device = try FakeCameraDevice(bench.clock, (UInt32(0)..<5).map { .picture($0) })
    camera.demand(.take)
    camera.attach(device)
    let items = try bench.items(8)
    #expect(
      words(items) == [
        "start 1", "lost 0+1 broken", "lost 1+1 broken", "end reset", "start 2", "frame 2", "frame 3", "frame 4",
      ])
    guard case .started(let run) = items[4] else { return }
    #expect(run.format.size == PixelSize(width: 4, height: 4))
  }

  private struct LyingInspector: PictureInspector {
    func inspect(_ bytes: UnsafeRawBufferPointer, format: VideoFormat) -> PictureVerdict {
      .good(GoodPicture(range: 0..<16, size: PixelSize(width: 4, height: 4)))
    }
  }
}

@Suite("A camera that comes and goes", .timeLimit(.minutes(2)))
struct CameraHotplugTests {
  @Test("unplugged it is offline at once, and plugged in again it goes on by itself")
  func replugs() throws {
    let bench = try CameraBench(steps: [.picture(0), .fail(unplugged)])
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
    let bench = try CameraBench(steps: [.picture(0), .fail(unplugged)])
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
    let bench = try CameraBench(steps: [.picture(0), .fail(unplugged)])
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
    bench.device.failDescribing(forbidden, .device(.missing(path: node)), forbidden)
    bench.run()
    try bench.wait(for: .streaming)
    #expect(!bench.states.contains(.failed))
    #expect(bench.device.described == 4)
  }

  @Test("after five seconds the permission is called missing, with the cure, and tried further")
  func reportsPermission() throws {
    let bench = try CameraBench(pauses: 10, steps: [.picture(0)])
    bench.device.failDescribing(
      forbidden, forbidden, forbidden, forbidden, forbidden, forbidden, forbidden, forbidden, forbidden, forbidden)
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

@Suite("A camera that another program holds", .timeLimit(.minutes(2)))
struct CameraBusyTests {
  @Test("it is tried with growing pauses of at most 10 s, and told once")
  func backsOff() throws {
    let bench = try CameraBench(steps: [.picture(0)])
    bench.device.failOpening([CaptureError](repeating: busy, count: 10))
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
    bench.device.failOpening([busy])
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

@Suite("A camera that sends nothing", .timeLimit(.minutes(2)))
struct CameraStallTests {
  @Test("after half a second it is stalled, and with the next picture it is not")
  func stalls() throws {
    let bench = try CameraBench(steps: [.picture(0), .picture(1), .silence(.milliseconds(600)), .picture(2)])
    bench.run()
    #expect(words(try bench.items(4)) == ["start 1", "frame 0", "frame 1", "frame 2"])
    try bench.wait(for: .streaming)
    #expect(bench.states.suffix(3) == [.streaming, .stalled, .streaming])
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

@Suite("A camera that does not start", .timeLimit(.minutes(2)))
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
    bench.device.failStarting(noBandwidth)
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
    bench.device.failStarting(noBandwidth)
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
    bench.device.failStarting(noBandwidth)
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
    bench.device.failStarting(.device(.startRefused(path: node, bus: "usb-1", errno: errno)))
    bench.run()
    try bench.wait(for: .streaming)
    #expect(bench.camera.status.granted?.description == granted)
    #expect(bench.camera.status.message.contains("errno \(errno)"))
  }

  @Test("an error of the first second leads to another format, a later one to the same")
  func triesOtherFormat() throws {
    let bench = try CameraBench(steps: [
      .picture(0), .fail(readError), .picture(0),
    ])
    bench.device.offer(mjpegAndRaw())
    bench.run()
    #expect(words(try bench.items(5)) == ["start 1", "frame 0", "end failed", "start 2", "frame 0"])
    #expect(bench.device.wishes.map(\.pixelFormat) == [.grey, .yuyv])
    for sequence in UInt32(1)...30 {
      bench.device.push(.picture(sequence, after: .milliseconds(100)))
    }
    bench.device.push(.fail(readError), .picture(0))
    _ = try bench.items(33)
    #expect(bench.device.wishes.map(\.pixelFormat) == [.grey, .yuyv, .yuyv])
  }

  @Test("a full bus at all sizes is a failure that is tried again from the best format on")
  func endsLadder() throws {
    let bench = try CameraBench(pauses: 0)
    bench.device.offer(mjpegAndRaw())
    for _ in 0..<20 { bench.device.failStarting(noBandwidth) }
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
}
