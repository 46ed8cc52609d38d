import CamrigModel

/// A listener's message for its media connection.
package struct SoundMessage: Sendable {
  package let header: MediaHeader
  package let chunk: SoundChunk
}

/// Sends one microphone's sound to one monitor, only while the monitor has granted credit. It holds no sound; the socket
/// layer holds what it sends.
///
/// `next` is for the connection's thread; everything else may come from anywhere. All calls return at once.
package final class SoundSender: Sendable {
  /// Half a second may be on its way.
  package static let credits = 1...25
  package static let usualCredit = 10

  private struct State {
    var window: CreditWindow
    var reader: SoundReader?
    var sequence: UInt64 = 0
    /// `next` gave nil and `ready` was not called since.
    var waits = false
  }

  private let stream: UInt32
  private let clock: any RigClock
  private let ready: @Sendable () -> Void
  private let state: Guarded<State>

  /// - Parameters:
  ///   - stream: the number in the header of each message.
  ///   - credit: messages on their way at most.
  ///   - ready: called once after `next` gave nil, when there may be something; from the microphone's thread among
  ///     others, so it must return at once.
  package init(
    _ preview: SoundPreview, stream: UInt32, credit: Int, clock: any RigClock = SystemClock(),
    ready: @escaping @Sendable () -> Void
  ) {
    self.stream = stream
    self.clock = clock
    self.ready = ready
    state = Guarded(State(window: CreditWindow(size: credit, of: Self.credits)))
    let reader = preview.open { [weak self] in self?.tellIfWaiting() }
    state.withLock { $0.reader = reader }
  }

  deinit { close() }

  /// The next message; nil if there is no sound or no credit.
  package func next() -> SoundMessage? {
    let reader = state.withLock { state -> SoundReader? in
      state.waits = true
      return state.window.hasRoom(for: 0) ? state.reader : nil
    }
    guard let reader, let (chunk, skipped) = reader.next() else { return nil }
    let now = clock.now
    return state.withLock { state in
      state.waits = false
      let sequence = state.sequence
      state.sequence += 1
      state.window.send(sequence, byteCount: MediaHeader.byteCount + chunk.bytes.count, at: now)
      return SoundMessage(
        header: MediaHeader(chunk, skipped: skipped, at: now, stream: stream, sequence: sequence), chunk: chunk)
    }
  }

  /// The monitor has all messages up to this one.
  package func acknowledge(_ sequence: UInt64) {
    let now = clock.now
    state.withLock { _ = $0.window.acknowledge(sequence, at: now) }
    tellIfWaiting()
  }

  package func setCredit(_ credit: Int) {
    state.withLock { $0.window.setSize(credit) }
    tellIfWaiting()
  }

  /// Idempotent.
  package func close() {
    let reader = state.withLock { state in
      defer { state.reader = nil }
      return state.reader
    }
    reader?.close()
  }

  private func tellIfWaiting() {
    let mustTell = state.withLock { state in
      guard state.waits, state.reader != nil, state.window.hasRoom(for: 0) else { return false }
      state.waits = false
      return true
    }
    if mustTell { ready() }
  }
}
