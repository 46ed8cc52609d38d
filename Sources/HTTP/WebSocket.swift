import CamrigModel

/// One open WebSocket. May be used from any thread; what is sent waits here, within a bound, until the socket takes it.
package final class WebSocket: Sendable {
  struct Queue {
    var waiting: [WebSocketMessage.Outgoing] = []
    var bytes = 0
    /// The session has something newer to be asked for.
    var isOffered = false
    var closing: WebSocketClosing?
    /// To be closed once nothing waits any more.
    var ending: WebSocketClosing?
    /// The service was told, and has not looked yet.
    var isAnnounced = false
    var isOver = false
  }

  package let head: HTTPRequestHead
  /// What both sides agreed on; nil: none.
  package let subprotocol: String?
  private let mostMessages: Int
  private let mostBytes: Int
  private let announce: @Sendable () -> Void
  private let measure: @Sendable () -> Duration?
  private let queue = Guarded(Queue())

  /// `announce` has the service look at `step` soon; `measure` is `leastRoundTrip`.
  init(
    head: HTTPRequestHead, subprotocol: String?, mostMessages: Int, mostBytes: Int,
    measure: @escaping @Sendable () -> Duration? = { nil }, announce: @escaping @Sendable () -> Void
  ) {
    self.head = head
    self.subprotocol = subprotocol
    self.mostMessages = mostMessages
    self.mostBytes = mostBytes
    self.announce = announce
    self.measure = measure
  }

  package func send(_ text: String) { send(WebSocketMessage.Outgoing(text: text)) }

  /// Sent in order, each once. Where too much waits, the client does not read: the socket is closed with 1008.
  /// One message always fits.
  package func send(_ message: WebSocketMessage.Outgoing) {
    change { queue in
      let fits = queue.waiting.count < mostMessages && queue.bytes + message.byteCount <= mostBytes
      guard queue.waiting.isEmpty || fits else {
        queue.closing = .unread
        return
      }
      queue.waiting.append(message)
      queue.bytes += message.byteCount
    }
  }

  /// The session is asked for `next` once the socket takes more. Said again and again, it is asked once.
  package func offer() { change { $0.isOffered = true } }

  /// After what is being sent; what waits is dropped.
  package func close(_ reason: WebSocketClosing = .normal) { change { $0.closing = reason } }

  /// After all that waits; the session is not asked for more.
  func finish(_ reason: WebSocketClosing) { change { $0.ending = reason } }

  /// The shortest that the kernel has seen on this connection; nil where it tells none. Only while the session is being
  /// called: the connection may be gone at any other time.
  package var leastRoundTrip: Duration? { measure() }

  /// Sent, and not yet on their way.
  package var waitingMessages: Int { queue.withLock { $0.waiting.count } }

  private func change(_ body: (inout Queue) -> Void) {
    let isNews = queue.withLock { queue in
      guard !queue.isOver, queue.closing == nil else { return false }
      body(&queue)
      defer { queue.isAnnounced = true }
      return !queue.isAnnounced
    }
    if isNews { announce() }
  }

  // MARK: For the service

  enum Step {
    case send(WebSocketMessage.Outgoing)
    /// Ask the session.
    case ask
    case close(WebSocketClosing)
    case nothing
  }

  func step() -> Step {
    queue.withLock { queue in
      queue.isAnnounced = false
      if let closing = queue.closing { return .close(closing) }
      if !queue.waiting.isEmpty {
        let message = queue.waiting.removeFirst()
        queue.bytes -= message.byteCount
        return .send(message)
      }
      if let ending = queue.ending { return .close(ending) }
      guard queue.isOffered else { return .nothing }
      queue.isOffered = false
      return .ask
    }
  }

  var closing: WebSocketClosing? { queue.withLock { $0.closing } }

  /// The service has seen the announcement.
  func noticed() { queue.withLock { $0.isAnnounced = false } }

  func over() {
    queue.withLock { queue in
      queue.isOver = true
      queue.waiting = []
      queue.bytes = 0
    }
  }
}
