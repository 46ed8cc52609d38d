import CamrigModel

/// What carries out the wishes that a wire brings.
package protocol RequestHandler: Sendable {
  /// A connection's requests come one after the other; those of several at once. Carried out to its end even if the
  /// monitor goes meanwhile.
  func handle(_ request: RPCRequest, from peer: Peer) async -> RPCReply
}

package enum RPCReply: Sendable {
  case result(JSONValue)
  case failure(RPCError)
  /// The answer, and what follows it until the stream ends or the monitor goes (then the stream is cancelled). Give
  /// the stream a bounded buffer.
  case subscription(JSONValue, AsyncStream<RPCNotification>)
}
