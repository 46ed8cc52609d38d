/// What one server gives to those who connect. Seconds are whole: that is what libwebsockets counts.
package struct HTTPLimits: Sendable {
  /// Connections at once, and of one address (see `HTTPPeer.group`). A browser opens six a page, and WebSockets beside.
  package var connections = 256
  package var connectionsPerAddress = 64
  /// Request line and headers, with what the parser needs for each.
  package var headerBytes: UInt16 = 16 << 10
  /// A request's body, unless the handler allows less.
  package var bodyBytes = 1 << 20
  /// TLS handshake, and from then on the whole request line and headers.
  package var headerSeconds: UInt32 = 10
  /// The whole body.
  package var bodySeconds: UInt32 = 60
  /// What the handler has for its answer.
  package var answerSeconds: UInt32 = 60
  /// A client that takes nothing of a response for so long is gone; of a file, if its room is needed.
  package var sendSeconds: UInt32 = 20
  /// A client that takes nothing of a file for so long is gone: until then its player may pause.
  package var pausedSeconds: UInt32 = 900
  /// A client whose TCP says nothing at all while it takes a file is gone; a phone may sleep for a minute. More than the two
  /// minutes that may lie between the kernel's probes of a client that pauses.
  package var silentSeconds: UInt32 = 150
  /// A peer whose TCP acknowledges nothing for so long, or takes nothing more, is gone, unless it takes a file.
  package var deadSeconds: UInt32 = 10
  /// A volume that gives no piece of a file for so long: its download ends.
  package var fileSeconds: UInt32 = 30
  /// Between two requests on one connection.
  package var idleSeconds: UInt32 = 60
  /// A WebSocket is asked for a sign of life after the first, and dropped without any after the second (see `LifeSigns`).
  package var pingSeconds: UInt16 = 5
  package var hangupSeconds: UInt16 = 12
  /// One message from a WebSocket's client.
  package var messageBytes = 1 << 20
  /// Messages that wait for a WebSocket's client to read them.
  package var queuedMessages = 256
  package var queuedBytes = 1 << 20
  /// What the kernel holds of a connection unsent (`TCP_NOTSENT_LOWAT`): beyond it, what is newer is worth more.
  package var unsentBytes: Int32 = 128 << 10

  package init() {}
}
