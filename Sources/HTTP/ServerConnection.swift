import CWebSockets

/// One client. Belongs to the server's thread.
final class ServerConnection {
  enum Stage {
    /// Waits for a request, or for the rest of its head.
    case idle
    /// The body comes in.
    case receiving(HTTPRequestHead, length: Int)
    /// The handler works; nothing is read meanwhile.
    case answering(HTTPRequestHead, Task<Void, Never>)
    case sending(ResponseSending)
    /// All is sent; what the client still sends is dropped until it goes or its time is over, since closing earlier
    /// could take the response away from it.
    case lingering
    /// Accepted; libwebsockets has not finished the handshake.
    case upgrading(HTTPRequestHead, String?, any WebSocketSession)
    case open(OpenSocket)
  }

  let id: UInt
  let descriptor: Int32
  let peer: HTTPPeer
  /// It came in where TLS is spoken; it need not speak it.
  let wantsTLS: Bool
  let wsi: OpaquePointer
  var stage = Stage.idle
  var body: [UInt8] = []
  /// What of the body was not read yet.
  var isBodyUnread = false
  /// libwebsockets has told the end of this request's body.
  var hasBodyEnded = false
  /// Counts the requests, so that a late answer finds no wrong one.
  var request: UInt = 0
  /// epoll knows it.
  var isWatched = false
  /// Sending stopped because the stream or the disk had nothing.
  var waitsForSource = false

  init(id: UInt, descriptor: Int32, peer: HTTPPeer, wantsTLS: Bool, wsi: OpaquePointer) {
    self.id = id
    self.descriptor = descriptor
    self.peer = peer
    self.wantsTLS = wantsTLS
    self.wsi = wsi
  }
}
