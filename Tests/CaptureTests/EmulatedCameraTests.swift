import CamrigModel
import Codec
import Frames
import TestSupport
import Testing

/// A camera through V4L2's calls, with faults at exact frames. A process each: the emulation is preloaded.
@Suite("A camera behind an emulated device", .timeLimit(.minutes(5)), .serialized)
struct EmulatedCameraTests {
  private let node = "/dev/video40"

  private func cameras(_ formats: String...) throws -> FakeCam {
    let cameras = FakeCam("")
    let format = VideoFormat(.mjpeg, PixelSize(width: 640, height: 480), rate: nil)
    let renderer = try TestPatternRenderer(format: format)
    var pictures: [UInt8] = []
    for counter in UInt32(0)..<4 {
      pictures += try renderer.render(counter: counter, time: WallTime(nanoseconds: 0)) { Array($0) }
    }
    cameras.write(pictures, "pictures.mjpeg")
    let lines = formats.isEmpty ? ["MJPG 640x480 60,30 frames=\(cameras.path(of: "pictures.mjpeg"))"] : formats
    cameras.write(
      """
      [cam0]
      path = \(node)
      card = Fake Cam
      bus_info = usb-0000:00:14.0-1
      \(lines.map { "format = \($0)" }.joined(separator: "\n"))

      """, "cameras.conf")
    return cameras
  }

  @Test("every frame comes with its number, its time and its own bytes")
  func streams() throws {
    let output = try ProbeOutput(try cameras(), [node, "--frames", "60", "--rate", "60"])
    output.checkAccount()
    #expect(output.losses.isEmpty)
    #expect(output.runs.map(\.format.description) == ["MJPG 640x480 at 60"])
    #expect(output.ends.map(\.reason) == [.stopped])
    for frame in output.frames {
      // FAKECAM n=0000000007 s=0000000007 t=0000001786427539205
      let fields = frame.mark.split(separator: " ")
      try #require(fields.count == 4, "\(frame.mark)")
      #expect(UInt64(fields[2].dropFirst(2)) == frame.sequence)
      let nanoseconds = try #require(Int64(fields[3].dropFirst(2)))
      // V4L2's timestamps are microseconds.
      #expect(frame.time.nanoseconds == nanoseconds / 1000 * 1000)
    }
  }

  @Test("each fault is one loss with its cause, and nothing else is lost")
  func accounts() throws {
    let output = try ProbeOutput(
      try cameras(), [node, "--frames", "70", "--rate", "60"],
      script: [
        "frame=0:10 skip 0 3", "frame=0:20 flag-error 0 1", "frame=0:30 empty 0 2", "frame=0:40 truncate 0 1",
        "frame=0:45 corrupt 0 1", "frame=0:50 pad 0 2 4096",
      ])
    output.checkAccount()
    #expect(
      output.lossWords == [
        "driverGap 10+3", "errorFlagged 20+1", "empty 30+1", "empty 31+1", "broken 40+1", "broken 45+1",
      ])
    let bytes = Set(output.frames.map(\.bytes))
    #expect(bytes.count <= 4, "padding is cut off")
    let last = try #require(output.states.last { $0.stream != nil }?.stream)
    #expect(last.lost == ["driverGap": 3, "errorFlagged": 1, "empty": 2, "broken": 2])
    #expect(last.frames == UInt64(output.frames.count))
  }

  @Test("a clock that goes back bends no time")
  func correctsClock() throws {
    let output = try ProbeOutput(
      try cameras(), [node, "--frames", "50", "--rate", "60"],
      script: ["frame=0:10 clock-back 0 200000", "frame=0:30 clock-back 0 3000000"])
    output.checkAccount()
    #expect(output.losses.isEmpty)
    let oddities = try #require(output.states.last { $0.stream != nil }?.stream?.oddities)
    #expect((oddities["clockBackwards"] ?? 0) >= 1)
    #expect((oddities["clockJump"] ?? 0) >= 1)
  }

  @Test("unplugged and plugged in again, it goes on in a new run, and the old one is complete")
  func replugs() throws {
    let output = try ProbeOutput(
      try cameras(), [node, "--frames", "40", "--rate", "60"], script: ["frame=0:15 unplug 0", "t=1.5 plug 0"])
    output.checkAccount()
    #expect(output.ends.map(\.reason) == [.unplugged, .stopped])
    #expect(output.runs.count == 2)
    #expect(output.frames.filter { $0.run == 1 }.map(\.sequence) == (0..<15).map { UInt64($0) })
    #expect(output.states.map(\.state).contains(.offline))
  }

  @Test("a full bus leads to a smaller format, which is said with the bus's name")
  func takesSmaller() throws {
    let cameras = try cameras("MJPG 1920x1080 30 size=80000", "MJPG 1280x720 30 size=40000")
    let output = try ProbeOutput(cameras, [node, "--frames", "3"], script: ["t=0 errno 0 STREAMON ENOSPC 1"])
    #expect(output.runs.map(\.format.description) == ["MJPG 1280x720 at 30"])
    let message = try #require(output.states.last { $0.state == .streaming }?.message)
    #expect(message.hasPrefix("streams MJPG 1280x720 at 30 instead of MJPG 1920x1080 at 30"))
    #expect(message.contains("USB bandwidth of usb-0000:00:14.0-1"))
  }

  @Test("without leave to take a smaller format it fails in the same words")
  func failsOnFullBus() throws {
    let output = try ProbeOutput(
      try cameras(), [node, "--seconds", "1", "--no-smaller"], script: ["t=0 errno 0 STREAMON ENOSPC 0"])
    #expect(output.frames.isEmpty)
    let failed = try #require(output.states.last { $0.state == .failed })
    #expect(failed.message.contains("USB bandwidth of usb-0000:00:14.0-1"))
  }

  @Test("a node that is not ours yet, or that another program holds, is tried again")
  func triesAgain() throws {
    let forbidden = try ProbeOutput(
      try cameras(), [node, "--frames", "3"], script: ["t=0 errno 0 OPEN EACCES 3"])
    #expect(forbidden.frames.count >= 3)
    #expect(!forbidden.states.map(\.state).contains(.failed))
    let held = try ProbeOutput(try cameras(), [node, "--frames", "3"], script: ["t=0 errno 0 REQBUFS EBUSY 2"])
    #expect(held.frames.count >= 3)
    #expect(held.states.map(\.state).contains(.busy))
  }

  @Test("after a silence of seconds the stream is started again")
  func restarts() throws {
    let output = try ProbeOutput(
      try cameras(), [node, "--frames", "20", "--rate", "60"], script: ["frame=0:10 stall 0 3500"])
    output.checkAccount()
    #expect(output.ends.map(\.reason) == [.stalled, .stopped])
    #expect(output.states.map(\.state).contains(.stalled))
  }

  @Test("a capture card whose signal goes and comes back says so meanwhile, and streams again by itself")
  func losesSignal() throws {
    let output = try ProbeOutput(
      try cameras(), [node, "--frames", "20", "--rate", "60"],
      script: ["frame=0:10 signal 0 0", "t=7 signal 0 1"])
    output.checkAccount()
    #expect(output.ends.map(\.reason).first == .reset, "the driver told it")
    #expect(output.ends.map(\.reason).last == .stopped)
    let failed = try #require(output.states.first { $0.state == .failed })
    #expect(
      failed.message
        == "\(node) has no signal at its input. Switch on what is plugged in there, and check the cable.")
    #expect(output.frames.count >= 20)
  }

  @Test(
    "a signal that the card cannot take is told with its cure, and nothing is started",
    arguments: [
      ("ENOLINK", "has no signal at its input"), ("ENOLCK", "cannot follow the signal"),
      ("ERANGE", "Choose a smaller size or rate on what is plugged in there"),
    ])
  func detectsSignal(_ errno: String, _ words: String) throws {
    let output = try ProbeOutput(
      try cameras(), [node, "--seconds", "2"], script: ["t=0 errno 0 QUERY_DV_TIMINGS \(errno) 0"])
    #expect(output.runs.isEmpty)
    #expect(output.states.contains { $0.state == .failed && $0.message.contains(words) })
    let heals = try ProbeOutput(
      try cameras(), [node, "--frames", "3"], script: ["t=0 errno 0 QUERY_DV_TIMINGS \(errno) 2"])
    #expect(heals.frames.count >= 3)
  }

  @Test(
    "raw pictures have the length that format and lines demand",
    arguments: [
      ("YUYV", 320 * 240 * 2), ("NV12", 320 * 240 * 3 / 2), ("GREY", 320 * 240),
    ])
  func streamsRaw(_ format: String, _ bytes: Int) throws {
    let output = try ProbeOutput(
      try cameras("\(format) 320x240 30"), [node, "--frames", "5"], script: ["frame=0:2 truncate 0 1"])
    output.checkAccount()
    #expect(Set(output.frames.map(\.bytes)) == [bytes])
    #expect(output.lossWords == ["broken 2+1"])
  }
}
