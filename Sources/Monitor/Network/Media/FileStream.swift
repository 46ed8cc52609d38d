import CamrigModel
import DaemonKit
import Dispatch
import HTTP
import Streaming

/// A part of a file, piece by piece. One piece is read ahead, beside, by its volume's own thread, so that a volume that
/// hangs holds up nobody who fetches from another; what it does not give in time ends the stream.
final class FileStream: MediaStream {
  /// Small, so that live pictures need not wait long behind one.
  static let pieceBytes: UInt64 = 32 << 10
  static let credits = 1...16
  static let usualCredit = 4

  private struct State {
    /// Where the next piece begins.
    var offset: UInt64
    var window: CreditWindow
    var sequence: UInt64 = 0
    var ready: (bytes: [UInt8], isLast: Bool)?
    var isReading = false
    var isOver = false
  }

  private let file: HTTPFile
  private let stream: UInt32
  /// Nil: the file's, wherever that is when it is reached.
  private let end: UInt64?
  private let ready: @Sendable () -> Void
  private let failed: @Sendable (String) -> Void
  private let state: Guarded<State>
  private let watch: ReadingWatch

  /// - Parameters:
  ///   - length: nil: to the end of the file.
  ///   - ready: called when there may be a message; from any thread.
  ///   - failed: called once, with a text for people, where the file cannot be read on.
  init(
    _ file: HTTPFile, stream: UInt32, offset: UInt64, length: UInt64?, credit: Int?,
    ready: @escaping @Sendable () -> Void, failed: @escaping @Sendable (String) -> Void
  ) {
    self.file = file
    watch = ReadingWatch(file.volume)
    self.stream = stream
    end = length.map { offset.addingReportingOverflow($0) }.map { $0.overflow ? .max : $0.partialValue }
    self.ready = ready
    self.failed = failed
    state = Guarded(
      State(offset: offset, window: CreditWindow(size: credit ?? Self.usualCredit, of: Self.credits)))
  }

  var urgency: MediaUrgency { .file }
  var isOver: Bool { state.withLock { $0.isOver } }

  func next() -> WebSocketMessage.Outgoing? {
    let now = SystemClock().now
    let message = state.withLock { state -> WebSocketMessage.Outgoing? in
      guard !state.isOver, let (bytes, isLast) = state.ready, state.window.hasRoom(for: 0) else { return nil }
      let header = MediaHeader(
        kind: .fileChunk, flags: isLast ? .last : [], stream: stream, sequence: state.sequence,
        presentationMicroseconds: 0, detail: MediaHeader.Detail(offset: state.offset))
      state.window.send(state.sequence, byteCount: bytes.count, at: now)
      state.sequence += 1
      state.offset += UInt64(bytes.count)
      state.ready = nil
      state.isOver = isLast
      return WebSocketMessage.Outgoing(binary: [header.bytes, bytes])
    }
    readAhead()
    return message
  }

  func acknowledge(_ sequence: UInt64, leastRoundTrip: Duration?) {
    let now = SystemClock().now
    state.withLock { _ = $0.window.acknowledge(sequence, at: now) }
    ready()
  }

  func close() { state.withLock { $0.isOver = true } }

  private func readAhead() {
    let offset = state.withLock { state -> UInt64? in
      guard !state.isOver, !state.isReading, state.ready == nil else { return nil }
      state.isReading = true
      return state.offset
    }
    guard let offset else { return }
    watch.begin { [weak self] in self?.isSilent() }
    file.volume.reading.perform { [self] in
      let piece = read(from: offset)
      watch.end()
      let wasClosed = state.withLock { state in
        let wasClosed = state.isOver
        state.isReading = false
        state.ready = piece
        if piece == nil { state.isOver = true }
        return wasClosed
      }
      // Another stream may have its number by now.
      if wasClosed { return }
      piece == nil ? failed("The file cannot be read from byte \(offset) on.") : ready()
    }
  }

  private func isSilent() {
    let isEnd = state.withLock { state in
      guard !state.isOver, state.isReading else { return false }
      state.isOver = true
      return true
    }
    if isEnd { failed(file.volume.silence.description) }
  }

  /// A file that grows ends where it ends now.
  private func read(from offset: UInt64) -> (bytes: [UInt8], isLast: Bool)? {
    // One that has become shorter is not all there, and must not end as if it were.
    guard let size = file.sizeNow.map(UInt64.init), size >= offset else { return nil }
    let end = min(end ?? .max, size)
    let upper = min(end, offset + Self.pieceBytes)
    guard offset < upper else { return ([], true) }
    return file.read(Int64(offset)..<Int64(upper)).map { ($0, upper == end) }
  }
}
