import CLinux
import CamrigModel
import Capture
import DaemonKit
import FoundationEssentials
import Frames
import Glibc

/// A program for tests, run under fakecam: shows as JSON lines what a camera says and delivers.
enum CaptureProbe {
  static let usage = """
    usage: CaptureProbe describe NODE
           CaptureProbe held NODE
           CaptureProbe registry SETTINGS EVENTS SECONDS
           CaptureProbe microphones SETTINGS COUNT SECONDS [CAMERA=PATH]…
           CaptureProbe stream NODE [--format F] [--size WxH] [--rate R] [--frames N] [--seconds S] [--runs N] [--no-smaller]

    """

  static func run(_ arguments: [String]) -> Int32 {
    guard arguments.count >= 2 else { return fail(usage) }
    let device = V4L2CameraDevice(node: arguments[1])
    switch arguments[0] {
    case "describe":
      do throws(CaptureError) {
        put(try device.describe())
        return 0
      } catch { return fail("\(error)\n") }
    case "held":
      put(device.isHeldByAnotherProgram())
      return 0
    case "registry":
      guard arguments.count == 4, let events = Int(arguments[2]), let seconds = Int(arguments[3]) else {
        return fail(usage)
      }
      return RegistryProbe.run(settings: arguments[1], events: events, seconds: seconds) { put($0) }
    case "microphones":
      guard arguments.count >= 4, let count = Int(arguments[2]), let seconds = Int(arguments[3]) else {
        return fail(usage)
      }
      return MicrophoneProbe.run(
        settings: arguments[1], count: count, seconds: seconds, cameras: Array(arguments.dropFirst(4))
      ) { put($0) }
    case "stream":
      guard let options = ProbeOptions(arguments.dropFirst(2)) else { return fail(usage) }
      return stream(device, options)
    default: return fail(usage)
    }
  }

  private static func stream(_ device: V4L2CameraDevice, _ options: ProbeOptions) -> Int32 {
    var configuration = CaptureConfiguration()
    configuration.graceTime = .zero
    configuration.allowSmallerFormats = options.allowsSmaller
    let clock = SystemClock()
    let camera = Camera(id: CameraID("probe"), configuration: configuration, clock: clock, log: Log(ErrorLog())) {
      let status = $0.status
      put(ProbeLine(state: ProbeLine.State(status)))
    }
    let queue = FrameQueue(capacity: .seconds(60), capacityBytes: 1 << 30)
    camera.hub.add(queue)
    camera.setWish(options.wish)
    camera.demand(.probe)
    camera.attach(device)

    let deadline = clock.now + options.length
    var frames = 0
    var ended = 0
    var isGone = false
    while clock.now < deadline, frames < options.frames, ended < options.runs {
      for item in queue.take(timeout: .milliseconds(50)) ?? [] {
        put(item)
        if case .frame = item { frames += 1 }
        if case .ended(let end) = item {
          ended += 1
          if end.reason == .unplugged { isGone = true }
        }
      }
      if isGone {
        // What udev would tell.
        camera.detach()
        let again = V4L2CameraDevice(node: device.node)
        if (try? again.describe()) != nil {
          camera.attach(again)
          isGone = false
        }
      }
    }
    put(ProbeLine(state: ProbeLine.State(camera.status)))
    camera.release(.probe)
    camera.shutdown()
    queue.close()
    while let items = queue.take(timeout: .zero) { for item in items { put(item) } }
    return 0
  }

  private static func put(_ item: StreamItem) {
    switch item {
    case .started(let run): put(ProbeLine(started: run))
    case .frame(let frame): put(ProbeLine(frame: ProbeLine.Picture(frame)))
    case .lost(let loss): put(ProbeLine(lost: loss))
    case .ended(let end): put(ProbeLine(ended: end))
    }
  }

  private static let output = Guarded(())

  private static func put(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard var line = try? encoder.encode(value) else { return }
    line.append(10)
    output.withLock { _ in
      line.withUnsafeBytes { bytes in
        _ = cl_put_output(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
      }
    }
  }

  private static func fail(_ text: String) -> Int32 {
    ErrorLog.put(text)
    return 1
  }
}

struct ErrorLog: LogSink {
  func write(_ line: LogLine) { Self.put("\(line.level) \(line.message)\n") }

  static func put(_ text: String) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { cl_put_error($0.bindMemory(to: CChar.self).baseAddress, $0.count) }
  }
}
