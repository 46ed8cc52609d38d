import CamrigModel

/// Shares one microphone's stream among readers without waiting for any of them, and keeps the newest sound (the
/// pre-roll). `publish` is called by the microphone's capture thread alone, everything else by anybody.
package final class SoundHub: Sendable {
  private struct State {
    var readers: [SoundQueue] = []
    var listeners: [(number: Int, heard: @Sendable (SoundItem) -> Void)] = []
    var nextListener = 0
    var preroll: [SoundItem] = []
    var run: SoundRun?
    var newestRun: SoundRun?
  }

  private let state = Guarded(State())
  private let prerollLength: Duration

  /// - Parameter prerollLength: how far back a new reader may begin.
  package init(prerollLength: Duration) { self.prerollLength = prerollLength }

  package func publish(_ item: SoundItem) {
    let listeners = state.withLock { state in
      keep(item, &state)
      for reader in state.readers { reader.offer(item) }
      return state.listeners
    }
    for listener in listeners { listener.heard(item) }
  }

  /// A queue that gets all items from now on, after the pre-roll since `from` (and the run's start, so that the first
  /// item is always `.started` if a run is going on).
  package func add(_ queue: SoundQueue, from: MediaTime? = nil) {
    state.withLock { state in
      if let run = state.run {
        queue.offer(.started(run))
        if let from {
          for item in state.preroll where item.reaches(from, rate: run.rate) { queue.offer(item) }
        }
      }
      state.readers.append(queue)
    }
  }

  package func remove(_ queue: SoundQueue) { state.withLock { state in state.readers.removeAll { $0 === queue } } }

  /// - Parameter heard: called with each item on the publisher's thread and with no lock held, and perhaps once more
  ///   after `removeListener`. It must return at once.
  package func addListener(_ heard: @escaping @Sendable (SoundItem) -> Void) -> Int {
    state.withLock { state in
      state.nextListener += 1
      state.listeners.append((state.nextListener, heard))
      return state.nextListener
    }
  }

  package func removeListener(_ number: Int) {
    state.withLock { state in state.listeners.removeAll { $0.number == number } }
  }

  package var run: SoundRun? { state.withLock { $0.run } }

  /// The one that goes on, or the last that did.
  package var newestRun: SoundRun? { state.withLock { $0.newestRun } }

  private func keep(_ item: SoundItem, _ state: inout State) {
    switch item {
    case .started(let run):
      state.run = run
      state.newestRun = run
      state.preroll = []
    case .ended:
      state.run = nil
      state.preroll = []
    case .block, .lost:
      guard let run = state.run, prerollLength > .zero, let now = item.time else { return }
      state.preroll.append(item)
      let drop = state.preroll.prefix { !$0.reaches(now - prerollLength, rate: run.rate) }.count
      state.preroll.removeFirst(drop)
    }
  }
}

extension SoundItem {
  /// Of the first sample frame of a block or a loss.
  fileprivate var time: MediaTime? {
    switch self {
    case .block(let block): block.presentationTime
    case .lost(let loss): loss.time
    case .started, .ended: nil
    }
  }

  /// Whether some of it is from `time` or later.
  fileprivate func reaches(_ time: MediaTime, rate: Int) -> Bool {
    let count: Int64
    switch self {
    case .block(let block): count = Int64(block.count)
    case .lost(let loss): count = loss.count
    case .started, .ended: return false
    }
    guard let first = self.time else { return false }
    return first + .nanoseconds(count * 1_000_000_000 / Int64(rate)) > time
  }
}
