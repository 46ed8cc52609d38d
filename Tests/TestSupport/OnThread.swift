import DaemonKit

/// Runs what blocks on a thread of its own: a blocked test must not take a thread from the tasks that it waits for.
package func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
  let (results, result) = AsyncStream.makeStream(of: Result<T, any Error>.self)
  let worker = try Worker("test") {
    result.yield(Result { try body() })
    result.finish()
  }
  defer { worker.join() }
  for await outcome in results { return try outcome.get() }
  preconditionFailure("a thread ends with its result")
}
