import CWebSockets
import CamrigModel

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
  /// libwebsockets has told the end of this request's body.
  var hasBodyEnded = false
  /// Counts the requests, so that a late answer finds no wrong one.
  var request: UInt = 0
  /// epoll knows it.
  var isWatched = false
  /// When something of the response was last given to the socket.
  var lastWritten = MediaTime(nanoseconds: 0)
  /// What `TCP_USER_TIMEOUT` was last set to; nil: what it has from the beginning.
  var kernelPatience: UInt32?
  /// It is being closed, to make room.
  var isGivenUp = false
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
