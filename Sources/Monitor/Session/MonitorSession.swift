import CamrigModel

/// One connection of a monitor.
package protocol MonitorSession: Sendable {
  /// As `RequestHandler.handle`.
  func handle(_ request: RPCRequest) async -> RPCReply
  /// The monitor has left.
  func end()
}

/// For handlers that keep nothing of a connection.
struct PlainSession: MonitorSession {
  let handler: any RequestHandler
  let peer: Peer

  func handle(_ request: RPCRequest) async -> RPCReply { await handler.handle(request, from: peer) }
  func end() {}
}
