/// How the registry waits. Tests pass one that they run out by hand.
package protocol RegistryTimer: Sendable {
  /// Returns after `length`, or earlier if the task is cancelled.
  func wait(_ length: Duration) async
}

package struct TaskTimer: RegistryTimer {
  package init() {}

  // Only cancelling ends it early, and then there is nothing to say.
  package func wait(_ length: Duration) async { try? await Task.sleep(for: length) }
}
