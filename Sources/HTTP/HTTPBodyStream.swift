/// Bytes that somebody else keeps, such as a frame: sent without being copied into a message first.
package protocol HTTPPayload: Sendable {
  var byteCount: Int { get }
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void)
}

extension [UInt8]: HTTPPayload {
  package var byteCount: Int { count }
  package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { withUnsafeBytes { body($0) } }
}

/// A response without end, such as a multipart stream. Nothing queues: it is asked for its newest piece whenever the
/// socket has taken the one before.
package protocol HTTPBodyStream: Sendable {
  /// Once, before `next`. `wake` may be called on any thread, and from inside `next`; it leads to one `next` more as
  /// soon as the socket takes more. On the server's thread: must not block.
  func begin(wake: @escaping @Sendable () -> Void)
  /// On the server's thread: must not block.
  func next() -> HTTPStreamPiece
  /// Once, after the last `next`: the end was sent, or nobody is there any more. On the server's thread.
  func ended()
}

package enum HTTPStreamPiece: Sendable {
  /// Sent one after the other.
  case bytes([any HTTPPayload])
  /// Nothing just now; `wake` will tell.
  case later
  /// The response is complete.
  case end
}
