import CamrigModel
import DaemonKit
import TestSupport
import Testing

@Suite("A flood of log lines")
struct LogThrottleTests {
  /// A timer that a test runs by hand.
  private final class Timers: Sendable {
    let waiting = Guarded<[(Duration, @Sendable () -> Void)]>([])
    func run() {
      for (_, action) in waiting.withLock({ all in
        defer { all = [] }; return all
      }) { action() }
    }
  }

  private let clock = TestClock()
  private let sink = RecordingLogSink()
  private let timers = Timers()
  private var throttled: ThrottledSink {
    ThrottledSink(sink, clock: clock) { [timers] time, action in timers.waiting.withLock { $0.append((time, action)) } }
  }

  @Test("the same trouble is three lines and then a count a minute")
  func counts() {
    let target = throttled
    let log = Log(target)
    for number in 1...1000 { log.warning("cam: picture \(number) is broken", camera: CameraID("a")) }
    #expect(sink.lines.count == 3)
    #expect(timers.waiting.withLock { $0.map(\.0) } == [.seconds(60)])
    clock.advance(by: .seconds(60))
    timers.run()
    #expect(
      sink.lines.map(\.message).last == "997 more like this within a minute, the last: cam: picture 1000 is broken")
    #expect(sink.lines.last?.fields["CAMRIG_REPEATED"] == "997")
    // And again from the beginning.
    log.warning("cam: picture 1001 is broken", camera: CameraID("a"))
    #expect(sink.lines.count == 5)
  }

  @Test("ten minutes of a line a frame stay far below a hundred lines a minute")
  func tenMinutes() {
    let target = throttled
    let log = Log(target)
    for _ in 0..<600 {
      for _ in 0..<30 { log.error("cam: no buffer", camera: CameraID("a")) }
      clock.advance(by: .seconds(1))
      timers.run()
    }
    target.flush()
    #expect(sink.lines.count <= 10 * 5)
    let counted = sink.lines.reduce(0) { $0 + (Int($1.fields["CAMRIG_REPEATED"] ?? "1") ?? 0) }
    #expect(counted == 600 * 30)
  }

  @Test("other trouble, another camera and another take have their own lines")
  func keys() {
    let target = throttled
    let log = Log(target)
    for camera in ["a", "b"] {
      for _ in 0..<5 {
        log.warning("x", .cameraStalled, camera: CameraID(camera))
        log.warning("x", .cameraFailed, camera: CameraID(camera))
      }
    }
    for take in 0..<5 { log.notice("stopped", .takeStopped, take: "take-\(take)") }
    #expect(sink.lines.count == 2 * 2 * 3 + 5)
  }

  @Test("whoever is refused is named once at least, however many others were before")
  func addresses() {
    let target = throttled
    let log = Log(target)
    for host in 1...20 {
      for _ in 0..<10 {
        log.notice(
          "192.0.2.\(host) is not paired", .commandRefused, fields: [LogLine.addressField: "192.0.2.\(host)"])
      }
    }
    for host in 1...20 { #expect(sink.lines.contains { $0.message == "192.0.2.\(host) is not paired" }) }
    #expect(sink.lines.count == 20 * LogThrottle.written)
  }

  @Test("a line now and then is never held back")
  func rare() {
    let target = throttled
    let log = Log(target)
    for _ in 0..<10 {
      log.info("reloaded", .configurationReloaded)
      clock.advance(by: .seconds(61))
    }
    #expect(sink.lines.count == 10)
    #expect(timers.waiting.withLock { $0.isEmpty })
  }

  @Test("at the end what was counted is said")
  func flush() {
    let target = throttled
    for _ in 0..<5 { Log(target).info("x") }
    Log(target).flush()
    #expect(sink.lines.map(\.message) == ["x", "x", "x", "2 more like this within a minute, the last: x"])
    target.flush()
    #expect(sink.lines.count == 4)
  }

  @Test("kinds of trouble without number take no memory without bound")
  func bounded() {
    let target = throttled
    let log = Log(target)
    let letters = "abcdefghijklmnopqrstuvwxyz"
    for a in letters { for b in letters { log.info("\(a)\(b)") } }
    #expect(sink.lines.count == LogThrottle.mostKeys + LogThrottle.written)
  }
}
