import CamrigModel

/// What carries out the wishes that a wire brings.
package protocol RequestHandler: Sendable {
  /// A connection's requests come one after the other; those of several at once. Carried out to its end even if the
  /// monitor goes meanwhile.
  func handle(_ request: RPCRequest, from peer: Peer) async -> RPCReply
  /// A connection that lasts has begun.
  func begin(_ peer: Peer) -> any MonitorSession
}

extension RequestHandler {
  package func begin(_ peer: Peer) -> any MonitorSession { PlainSession(handler: self, peer: peer) }
}

package enum RPCReply: Sendable {
  case result(JSONValue)
  case failure(RPCError)
  /// The answer, and what follows it until the stream ends or the monitor goes (then the stream is cancelled). Give
  /// the stream a bounded buffer.
  case subscription(JSONValue, AsyncStream<RPCNotification>)
  /// The answer comes later; the connection's next request need not wait for it.
  case later(@Sendable () async -> RPCResponse.Outcome)

  /// For wires that answer one request after the other.
  package func settled() async -> RPCReply {
    guard case .later(let work) = self else { return self }
    return switch await work() {
    case .result(let value): .result(value)
    case .failure(let error): .failure(error)
    }
  }
}
