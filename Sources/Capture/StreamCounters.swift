import CamrigModel

/// The counters of the present run: the capture thread counts, anybody reads.
final class StreamCounters: Sendable {
  private struct State {
    var status = StreamStatus()
    var interval: Double?
    var last: MediaTime?
  }

  private let state = Guarded(State())

  var status: StreamStatus { state.withLock { $0.status } }

  func begin() { state.withLock { $0 = State() } }

  func frame(at time: MediaTime) {
    state.withLock { state in
      state.status.frames += 1
      if let last = state.last {
        let gap = (time - last).inSeconds
        // Over about a second of pictures; the first gap counts whole, and a hold-up is no rate.
        let interval = state.interval.map { $0 + (min(gap, 4 * $0) - $0) / 32 } ?? gap
        state.interval = interval
        if interval > 0 { state.status.measuredRate = 1 / interval }
      }
      state.last = time
    }
  }

  func lost(_ cause: LossCause, _ count: UInt64) {
    state.withLock { $0.status.lost[cause.rawValue, default: 0] &+= count }
  }

  func oddity(_ name: String) { state.withLock { $0.status.oddities[name, default: 0] += 1 } }
}
