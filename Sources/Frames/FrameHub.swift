import CamrigModel

/// Shares one camera's stream among readers without waiting for any of them. It keeps the newest pictures
/// (the pre-roll) and hands every item to each reader's bounded queue, and to the taps of those who only look; pictures
/// are shared, not copied.
/// `publish` is called by one thread at a time, the camera's capture thread or its picture stage's; everything else by
/// anybody.
package final class FrameHub: Sendable {
  private struct State {
    var readers: [FrameQueue] = []
    var taps: [FrameTap] = []
    var preroll: [StreamItem] = []
    var prerollBytes = 0
    /// Since the newest picture.
    var lossesInARow = 0
    var prerollLength: Duration
    /// The run going on; nil between runs.
    var run: StreamRun?
  }

  /// A camera that sends nothing but spoilt pictures for days must not fill the memory.
  private static let mostLossesInARow = 256

  private let state: Guarded<State>
  private let prerollCapacityBytes: Int

  /// - Parameters:
  ///   - prerollLength: how far back a new reader may begin; the ring holds a little more than this.
  ///   - prerollCapacityBytes: the most that the ring holds, whatever its length says.
  package init(prerollLength: Duration, prerollCapacityBytes: Int) {
    state = Guarded(State(prerollLength: prerollLength))
    self.prerollCapacityBytes = prerollCapacityBytes
  }

  package func publish(_ item: StreamItem) {
    let taps = state.withLock { state in
      keep(item, &state)
      for reader in state.readers { reader.offer(item) }
      for tap in state.taps { tap.offer(item) }
      return state.taps
    }
    for tap in taps { tap.tell(item) }
  }

  /// A queue that gets all items from now on, after the pre-roll's last `preroll` (and the run's start, so that
  /// the first item is always `.started` if a run is going on). Ends when `remove` is called.
  package func add(_ queue: FrameQueue, preroll: Duration = .zero) {
    state.withLock { state in
      if let run = state.run { queue.offer(.started(run)) }
      if preroll > .zero, let run = state.run, let newest = state.preroll.last(where: \.isFrame)?.frame {
        let from = newest.presentationTime - preroll
        var begun = false
        for item in state.preroll {
          switch item {
          case .frame(let frame):
            guard frame.run == run.number, frame.presentationTime >= from else { continue }
            begun = true
            queue.offer(item)
          case .lost(let loss):
            // A loss counts once a picture is kept: the ledger begins with the first one.
            if begun, loss.run == run.number { queue.offer(item) }
          case .started, .ended: continue
          }
        }
      }
      state.readers.append(queue)
    }
  }

  package func remove(_ queue: FrameQueue) {
    state.withLock { state in state.readers.removeAll { $0 === queue } }
  }

  /// From now on the tap has the newest picture in its slot, and at once the ring's newest one if it can be shown.
  package func add(_ tap: FrameTap) {
    state.withLock { state in
      tap.clear()
      for item in state.preroll { tap.offer(item) }
      state.taps.append(tap)
    }
  }

  package func remove(_ tap: FrameTap) {
    state.withLock { state in state.taps.removeAll { $0 === tap } }
  }

  package var run: StreamRun? { state.withLock { $0.run } }

  /// The newest picture in the ring, if a run is going on.
  package var newest: Frame? { state.withLock { $0.preroll.last(where: \.isFrame)?.frame } }

  private func keep(_ item: StreamItem, _ state: inout State) {
    switch item {
    case .started(let run):
      state.run = run
      state.preroll.removeAll()
      state.prerollBytes = 0
    case .ended:
      state.run = nil
      state.preroll.removeAll()
      state.prerollBytes = 0
    case .lost:
      // A loss counts once a picture is kept, and so many in a row leave nothing worth to begin with.
      guard state.preroll.first?.isFrame == true else { return }
      state.preroll.append(item)
      state.lossesInARow += 1
      guard state.lossesInARow > Self.mostLossesInARow else { return }
      state.preroll.removeAll()
      state.prerollBytes = 0
      state.lossesInARow = 0
    case .frame(let frame):
      state.lossesInARow = 0
      state.preroll.append(item)
      state.prerollBytes += frame.byteCount
      let oldest = frame.presentationTime - state.prerollLength
      var drop = 0
      while drop < state.preroll.count - 1 {
        if case .frame(let old) = state.preroll[drop] {
          if old.presentationTime >= oldest, state.prerollBytes <= prerollCapacityBytes { break }
          state.prerollBytes -= old.byteCount
        }
        drop += 1
      }
      state.preroll.removeFirst(drop)
    }
  }
}

extension StreamItem {
  package var frame: Frame? {
    if case .frame(let frame) = self { frame } else { nil }
  }

  var isFrame: Bool { frame != nil }
}
