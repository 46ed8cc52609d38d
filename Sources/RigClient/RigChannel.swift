import CamrigModel

/// A conversation with a rig, on whatever wire. Blocks; for one thread, which owns it.
package protocol RigChannel {
  /// Sends a request and waits for its answer; notifications that come before it are kept.
  func call(_ method: String, _ params: JSONValue, timeout: Duration) throws -> JSONValue
  /// The next notification; waits for as long as the rig lives.
  func nextNotification() throws -> RPCNotification?
}

extension ControlClient: RigChannel {
  package func nextNotification() throws -> RPCNotification? { try nextNotification(timeout: nil) }
}
