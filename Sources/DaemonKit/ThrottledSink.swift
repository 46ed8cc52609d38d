import CamrigModel

/// Keeps a flood of lines from the journal; see `LogThrottle`.
package final class ThrottledSink: LogSink {
  /// Runs the closure once after the time.
  package typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  private let sink: any LogSink
  private let clock: any RigClock
  private let timer: Timer
  private let throttle = Guarded(LogThrottle())

  package init(
    _ sink: any LogSink, clock: any RigClock = SystemClock(), timer: @escaping Timer = ThrottledSink.sleep
  ) {
    self.sink = sink
    self.clock = clock
    self.timer = timer
  }

  // One account's minute ends once; nothing wakes while nothing was counted.
  package static func sleep(_ time: Duration, _ then: @escaping @Sendable () -> Void) {
    Task {
      // Nobody cancels it.
      try? await Task.sleep(for: time)
      then()
    }
  }

  package func write(_ line: LogLine) {
    let now = clock.now
    switch throttle.withLock({ $0.judge(line, at: now) }) {
    case .write: sink.write(line)
    case .count: break
    case .countUntil(let time): timer(time - now) { [weak self] in self?.writeDue() }
    }
  }

  /// Writes what was counted and not said yet: at the end of the program.
  package func flush() {
    for line in throttle.withLock({ $0.rest() }) { sink.write(line) }
  }

  private func writeDue() {
    let now = clock.now
    for line in throttle.withLock({ $0.due(at: now) }) { sink.write(line) }
  }
}
