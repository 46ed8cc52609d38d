import CamrigModel

/// A reader's bounded queue of sound: never skips silently. A block that finds it full becomes a `.lost` with cause
/// `queueOverflow` in its place. The hub's publisher writes, one thread reads when it likes: nobody is woken, since
/// sound is written when pictures are.
package final class SoundQueue: Sendable {
  private struct State {
    var items: [SoundItem] = []
    var samples = 0
    var closed = false
  }

  private let state = Guarded(State())
  private let capacitySamples: Int

  /// - Parameter capacitySamples: values that may wait, of all channels together; 4 bytes each.
  package init(capacitySamples: Int) { self.capacitySamples = capacitySamples }

  package func offer(_ item: SoundItem) {
    state.withLock { state in
      guard !state.closed else { return }
      switch item {
      case .block(let block):
        guard state.samples + block.samples.count <= capacitySamples || state.samples == 0 else {
          Self.append(overflow: block, &state.items)
          return
        }
        state.samples += block.samples.count
        state.items.append(item)
      case .started, .lost, .ended: state.items.append(item)
      }
    }
  }

  /// All that waits, oldest first, and empties the queue. Nil: closed and empty.
  package func take() -> [SoundItem]? {
    state.withLock { state in
      if state.items.isEmpty, state.closed { return nil }
      let items = state.items
      state.items = []
      state.samples = 0
      return items
    }
  }

  /// No item is taken any more; what waits can still be read.
  package func close() { state.withLock { $0.closed = true } }

  private static func append(overflow block: SoundBlock, _ items: inout [SoundItem]) {
    var (position, count, time) = (block.position, Int64(block.count), block.presentationTime)
    if case .lost(let last)? = items.last, last.cause == .queueOverflow, last.run == block.run,
      last.position + last.count == position
    {
      items.removeLast()
      (position, count, time) = (last.position, last.count + count, last.time)
    }
    items.append(.lost(SoundLoss(cause: .queueOverflow, run: block.run, position: position, count: count, time: time)))
  }
}
