import CamrigModel

/// The part of a file that a response sends. The next piece is read while the one before is sent.
final class FileSending: Sendable {
  /// Read at once.
  static let piece: Int64 = 256 << 10

  enum Next {
    case bytes([UInt8])
    case later
    case end
    /// Cut short, or not readable: the client must not take it for whole.
    case failed
  }

  private enum State {
    case reading
    case ready([UInt8])
    case failed
    case end
  }

  private let file: HTTPFile
  private let wake: @Sendable () -> Void
  private let state: Guarded<(state: State, left: Range<Int64>)>

  /// Begins to read. `wake` is called on the thread that reads, whenever `next` has news.
  init(_ file: HTTPFile, _ range: Range<Int64>, wake: @escaping @Sendable () -> Void) {
    self.file = file
    self.wake = wake
    state = Guarded((.reading, range))
    read()
  }

  /// `wake` will tell.
  var isReading: Bool {
    state.withLock { state in
      if case .reading = state.state { true } else { false }
    }
  }

  func next() -> Next {
    let next: Next = state.withLock { state in
      switch state.state {
      case .reading: return .later
      case .failed: return .failed
      case .end: return .end
      case .ready(let bytes):
        state.state = state.left.isEmpty ? .end : .reading
        return .bytes(bytes)
      }
    }
    if case .bytes = next { read() }
    return next
  }

  private func read() {
    let wanted: Range<Int64>? = state.withLock { state in
      guard case .reading = state.state else { return nil }
      if state.left.isEmpty { state.state = .end }
      return state.left.isEmpty
        ? nil : state.left.lowerBound..<min(state.left.lowerBound + Self.piece, state.left.upperBound)
    }
    guard let wanted else { return }
    file.volume.reading.perform { self.readNow(wanted) }
  }

  private func readNow(_ wanted: Range<Int64>) {
    let bytes = file.read(wanted)
    state.withLock { state in
      state.left = wanted.upperBound..<state.left.upperBound
      state.state = bytes.map { .ready($0) } ?? .failed
    }
    wake()
  }
}
