/// Suspends until `condition` holds; the test's time limit ends it otherwise.
package func eventually(_ condition: @Sendable () async -> Bool) async {
  while !Task.isCancelled, !(await condition()) { try? await Task.sleep(for: .milliseconds(1)) }
}
