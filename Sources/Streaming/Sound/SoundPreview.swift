import CamrigModel
import Frames

/// Lets any number listen to one microphone: its sound is resampled and cut once for all, on the microphone's own
/// thread, for as long as one of them follows. Nobody holds up the microphone or another listener, and nothing queues.
///
/// While nobody listens it hears nothing of the microphone. It stays the same over unplugging and replugging, as the hub
/// does. All calls return at once and may come from any thread.
package final class SoundPreview: Sendable {
  private struct State {
    var board = SoundBoard()
    var ready: [Int: @Sendable () -> Void] = [:]
    var sentCount = 0
    var skippedCount = 0
  }

  private let source: SoundSource
  private let state = Guarded(State())
  /// Who listens, and by what number the hub knows this.
  private let attachment = Guarded<(listeners: Int, number: Int?)>((0, nil))
  /// Nil between two runs and after a gap.
  private let converter = Guarded<SoundConverter?>(nil)

  package init(_ source: SoundSource) { self.source = source }

  /// - Parameter ready: called once after `next` gave nil, when there is sound. From the microphone's thread, so it must
  ///   return at once.
  package func open(ready: @escaping @Sendable () -> Void) -> SoundReader {
    let id = state.withLock { state in
      let id = state.board.add()
      state.ready[id] = ready
      return id
    }
    attachment.withLock { attachment in
      attachment.listeners += 1
      guard attachment.number == nil else { return }
      // What is left in it is from when somebody listened last.
      converter.withLock { $0 = nil }
      attachment.number = source.hub.addListener { [weak self] in self?.heard($0) }
    }
    source.demand()
    return SoundReader(self, id)
  }

  package var status: SoundStatus {
    state.withLock {
      SoundStatus(listenerCount: $0.board.listenerCount, sentCount: $0.sentCount, skippedCount: $0.skippedCount)
    }
  }

  // MARK: For its readers

  func next(_ id: Int) -> (chunk: SoundChunk, skipped: Int)? {
    state.withLock { state in
      guard let next = state.board.take(id) else { return nil }
      state.sentCount += 1
      state.skippedCount += next.skipped
      return next
    }
  }

  func close(_ id: Int) {
    state.withLock { state in
      state.board.remove(id)
      state.ready[id] = nil
    }
    attachment.withLock { attachment in
      attachment.listeners -= 1
      guard attachment.listeners == 0, let number = attachment.number else { return }
      source.hub.removeListener(number)
      attachment.number = nil
    }
    source.release()
  }

  // MARK: The microphone's thread

  private func heard(_ item: SoundItem) {
    switch item {
    case .started, .ended, .lost: converter.withLock { $0 = nil }
    case .block(let block):
      guard let run = source.hub.run, run.number == block.run else { return }
      let isWanted = state.withLock { state in
        if !state.board.isSoundWanted { state.board.pass(frames: block.count, rate: run.rate) }
        return state.board.isSoundWanted
      }
      for chunk in isWanted ? convert(block, run) : rest() { offer(chunk) }
    }
  }

  private func convert(_ block: SoundBlock, _ run: SoundRun) -> [SoundChunk] {
    converter.withLock { converter in
      // A format that cannot be converted is silence here; the recording says what is wrong with it.
      if converter?.run != run.number { converter = try? SoundConverter(run) }
      return (try? converter?.chunks(of: block)) ?? []
    }
  }

  private func rest() -> [SoundChunk] {
    converter.withLock { $0 = nil }
    return []
  }

  private func offer(_ chunk: SoundChunk) {
    let ready = state.withLock { state in state.board.offer(chunk).compactMap { state.ready[$0] } }
    for tell in ready { tell() }
  }
}
