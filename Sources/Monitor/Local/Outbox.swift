import CamrigModel
import CLinux
import Glibc

/// What waits to be sent on one connection, within a bound. Filled from any thread, sent by the loop.
final class Outbox: Sendable {
  struct Limits: Sendable {
    var bytes = 1 << 20
    var messages = 256
  }

  enum Sent: Equatable {
    case all
    /// The socket takes no more just now.
    case blocked
    /// Nobody will ever read.
    case gone
  }

  private struct State {
    var messages: [[UInt8]] = []
    /// How much of the first message was sent.
    var offset = 0
    var bytes = 0
    var isFull = false
    var isShut = false
  }

  private let limits: Limits
  private let state = Guarded(State())

  init(_ limits: Limits) { self.limits = limits }

  /// False when the bound is reached: then nothing more is ever taken but `shut`'s last word. One message always fits.
  @discardableResult
  func put(_ message: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isFull, !state.isShut else { return false }
      let fits =
        state.messages.count < limits.messages && state.bytes + message.count <= limits.bytes
      guard state.messages.isEmpty || fits else {
        state.isFull = true
        return false
      }
      state.messages.append(message)
      state.bytes += message.count
      return true
    }
  }

  /// Drops what is not begun, and ends with `last`.
  func shut(_ last: [UInt8]) {
    state.withLock { state in
      let begun = state.offset > 0 ? state.messages.prefix(1) : []
      state.messages = Array(begun) + [last]
      state.bytes = state.messages.reduce(0) { $0 + $1.count }
      state.isShut = true
    }
  }

  var isFull: Bool { state.withLock { $0.isFull && !$0.isShut } }
  var count: Int { state.withLock { $0.messages.count } }

  func send(to descriptor: Int32) -> Sent {
    state.withLock { state in
      while let message = state.messages.first {
        let n = message[state.offset...].withUnsafeBytes { cl_send(descriptor, $0.baseAddress!, $0.count) }
        if n == -Int(EAGAIN) { return .blocked }
        if n < 0 { return .gone }
        state.offset += n
        guard state.offset == message.count else { continue }
        state.messages.removeFirst()
        state.bytes -= message.count
        state.offset = 0
      }
      return .all
    }
  }
}
