import CamrigModel
import Dispatch

/// The outcome of asynchronous work that a thread waits for.
final class Blocked<T: Sendable>: Sendable {
  private let outcome = Guarded<Result<T, any Error>?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  /// Runs `body` and blocks the calling thread until it has ended: for a program that has nothing else to do. Never on
  /// a thread of Swift's own pool.
  static func run(_ body: @escaping @Sendable () async throws -> T) throws -> T {
    let blocked = Blocked()
    Task {
      let outcome: Result<T, any Error>
      do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
      blocked.outcome.withLock { $0 = outcome }
      blocked.ended.signal()
    }
    blocked.ended.wait()
    guard let outcome = blocked.outcome.withLock({ $0 }) else { preconditionFailure("it has ended") }
    return try outcome.get()
  }
}
