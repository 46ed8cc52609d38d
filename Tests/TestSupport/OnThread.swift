import DaemonKit

/// Runs what blocks on a thread of its own: a blocked test must not take a thread from the tasks that it waits for.
/// Waits for its end also where the task was cancelled meanwhile.
package func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
  var worker: Worker?
  let outcome = await withCheckedContinuation { (waiting: CheckedContinuation<Result<T, any Error>, Never>) in
    do {
      worker = try Worker("test") { waiting.resume(returning: Result { try body() }) }
    } catch {
      waiting.resume(returning: .failure(error))
    }
  }
  worker?.join()
  return try outcome.get()
}
