import HTTP

/// One of the streams of a media connection. `next` is for the connection's thread; all calls return at once.
protocol MediaStream: AnyObject, Sendable {
  /// What goes first where several have something.
  var urgency: MediaUrgency { get }
  /// Nothing comes behind what `next` gave last.
  var isOver: Bool { get }

  /// The next message; nil if there is none or no credit. Then the session is told when there may be one.
  func next() -> WebSocketMessage.Outgoing?
  /// The monitor has all messages up to this one.
  /// - Parameter leastRoundTrip: of its connection, where the network tells it.
  func acknowledge(_ sequence: UInt64, leastRoundTrip: Duration?)
  /// Idempotent.
  func close()
}

/// A gap in sound is heard at once, a late picture is seen, and a file is only there later.
enum MediaUrgency: Int, Comparable {
  case file, picture, sound

  static func < (a: MediaUrgency, b: MediaUrgency) -> Bool { a.rawValue < b.rawValue }
}
