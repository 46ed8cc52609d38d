/// Where an answer goes piece by piece, however long it is. On the client's thread. May block: nothing more is read
/// meanwhile, so that what cannot be kept up with stays at the server.
package protocol HTTPBodySink: Sendable {
  /// Before the first piece. False: the answer is not wanted; the request ends at once.
  func began(status: Int, headers: HTTPHeaders) -> Bool
  /// False: no more is wanted; the request ends at once.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}
