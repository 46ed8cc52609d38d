import CamrigModel
import DaemonKit
import Glibc
import TestSupport
import Testing

@Suite("The watchdog", .timeLimit(.minutes(5)))
struct WatchdogTests {
  private let clock = TestClock()
  private let fed = WatchdogVerdict.Step(feed: true, reports: [])

  @Test("is fed while every worker moves within its own limit")
  func moves() {
    let watchdog = Watchdog(clock: clock)
    let quick = watchdog.watch("control", limit: .seconds(5))
    let slow = watchdog.watch("writer", limit: .seconds(30))
    var verdict = WatchdogVerdict()
    quick.beat()
    slow.beat()
    // A disk that takes 20 s kills nothing.
    for _ in 0..<5 {
      clock.advance(by: .seconds(4))
      quick.beat()
      #expect(verdict.next(watchdog.watched, at: clock.now) == fed)
    }
  }

  @Test("is not fed while one is stuck, which is said once, and fed again when it moves")
  func stuck() {
    let watchdog = Watchdog(clock: clock)
    let writer = watchdog.watch("writer", limit: .seconds(30))
    let control = watchdog.watch("control", limit: .seconds(5))
    var verdict = WatchdogVerdict()
    writer.beat()
    clock.advance(by: .seconds(32))
    control.beat()
    #expect(
      verdict.next(watchdog.watched, at: clock.now)
        == .init(
          feed: false,
          reports: [
            "writer does not move: 2 s beyond its limit. Unless it does, systemd restarts the service."
          ]))
    #expect(verdict.next(watchdog.watched, at: clock.now) == .init(feed: false, reports: []))
    writer.beat()
    #expect(verdict.next(watchdog.watched, at: clock.now) == .init(feed: true, reports: ["writer moves again."]))
    #expect(verdict.next(watchdog.watched, at: clock.now) == fed)
  }

  @Test("a worker that waits for work may wait for ever")
  func idle() {
    let watchdog = Watchdog(clock: clock)
    let heartbeat = watchdog.watch("recorder", limit: .seconds(1))
    var verdict = WatchdogVerdict()
    clock.advance(by: .seconds(1000))
    #expect(verdict.next(watchdog.watched, at: clock.now).feed)
    heartbeat.beat()
    heartbeat.idle()
    clock.advance(by: .seconds(1000))
    #expect(verdict.next(watchdog.watched, at: clock.now).feed)
  }

  @Test("a worker may announce one longer piece of work")
  func busy() {
    let watchdog = Watchdog(clock: clock)
    let heartbeat = watchdog.watch("recorder", limit: .seconds(1))
    var verdict = WatchdogVerdict()
    heartbeat.busy(limit: .seconds(60))
    clock.advance(by: .seconds(60))
    #expect(verdict.next(watchdog.watched, at: clock.now).feed)
    clock.advance(by: .nanoseconds(1))
    #expect(!verdict.next(watchdog.watched, at: clock.now).feed)
  }

  @Test("a worker that has ended is watched no more")
  func forgotten() {
    let watchdog = Watchdog(clock: clock)
    let heartbeat = watchdog.watch("recorder", limit: .seconds(1))
    heartbeat.beat()
    clock.advance(by: .seconds(10))
    watchdog.forget(heartbeat)
    var verdict = WatchdogVerdict()
    #expect(verdict.next(watchdog.watched, at: clock.now) == fed)
  }

  @Test("its thread feeds systemd again and again, and not while a worker is stuck")
  func thread() async throws {
    let notify = NotifySocket()
    let sink = RecordingLogSink()
    let systemd = Systemd(Environment(["NOTIFY_SOCKET": notify.path, "WATCHDOG_USEC": "2000"]))
    let watchdog = Watchdog(clock: clock)
    let heartbeat = watchdog.watch("writer", limit: .seconds(1))
    try watchdog.start(systemd, log: sink.log)
    let fed = try await onThread { [notify.next(), notify.next(), notify.next()] }
    #expect(fed == ["WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"])
    heartbeat.beat()
    clock.advance(by: .seconds(5))
    // Drained meanwhile: a full socket holds its writer up.
    while sink.lines.isEmpty {
      if notify.isEmpty { try await Task.sleep(for: .milliseconds(1)) } else { _ = notify.next() }
    }
    while !notify.isEmpty { _ = notify.next() }
    heartbeat.beat()
    #expect(try await onThread { notify.next() } == "WATCHDOG=1")
    watchdog.stop()
    watchdog.stop()
    #expect(sink.lines.map(\.level).allSatisfy { $0 == .error })
  }

  @Test("without a watchdog of systemd's there is no thread")
  func unasked() throws {
    let notify = NotifySocket()
    let watchdog = Watchdog(clock: clock)
    try watchdog.start(Systemd(Environment(["NOTIFY_SOCKET": notify.path])), log: RecordingLogSink().log)
    watchdog.stop()
    #expect(notify.isEmpty)
  }
}
