import CamrigModel
import HTTP
import RigControl
import Streaming

/// A monitor's WebSocket for pictures, sound and files: it starts and acknowledges streams by texts, what they carry goes
/// out as binary messages, in turn from those that have one and the most urgent first. See docs/ref/media-stream.md.
final class MediaSession: WebSocketSession {
  static let mostStreams = 32
  /// Each holds a file open for as long as its monitor likes.
  static let mostFiles = 4
  private static let longestWish = 4096

  private struct State {
    var streams: [UInt32: any MediaStream] = [:]
    /// Streams of files that are being opened.
    var opening: [UInt32: Task<Void, Never>] = [:]
    /// Who may have something, in turn.
    var ready: [UInt32] = []
    var isClosed = false
    var leastRoundTrip: Duration?

    /// That go over the connection or are being opened, without the stream of that number.
    func files(but number: UInt32) -> Int {
      Set(streams.filter { $0.value is FileStream }.keys).union(opening.keys).subtracting([number]).count
    }
  }

  let sources: MediaSources
  private let state = Guarded(State())
  private let wishes: AsyncStream<RPCRequest>
  private let post: AsyncStream<RPCRequest>.Continuation

  init(_ sources: MediaSources) {
    self.sources = sources
    (wishes, post) = AsyncStream.makeStream(of: RPCRequest.self, bufferingPolicy: .bufferingOldest(64))
  }

  func opened(_ socket: WebSocket) {
    // Ends with `post`.
    Task { [wishes] in
      for await wish in wishes { await self.takeUp(wish, socket) }
    }
  }

  /// One after the other, but files are opened beside: their volume may hang. What concerns a stream that is being opened
  /// waits for that.
  private func takeUp(_ wish: RPCRequest, _ socket: WebSocket) async {
    let number = wish.params["stream"]?.asInteger.flatMap { UInt32(exactly: $0) }
    if let number, let opening = state.withLock({ $0.opening[number] }) { await opening.value }
    guard wish.method == MediaMethod.fileStart.rawValue, let number else { return await carryOut(wish, socket) }
    let hasRoom = state.withLock { state in
      let hasRoom = state.files(but: number) < Self.mostFiles
      if hasRoom {
        // It cannot end before it stands there.
        state.opening[number] = Task {
          await self.carryOut(wish, socket)
          self.state.withLock { $0.opening[number] = nil }
        }
      }
      return hasRoom
    }
    if !hasRoom { answer(wish, .failure(RPCError(.tooManyMonitors, Self.filesAreEnough)), socket) }
  }

  private static let filesAreEnough =
    "\(mostFiles) files go over this connection already. Wait for the end of one, or stop one."

  func received(_ message: WebSocketMessage, from socket: WebSocket) {
    guard case .text(let text) = message else {
      return socket.close(WebSocketClosing(1003, "wishes are JSON texts"))
    }
    guard text.utf8.count <= Self.longestWish else {
      return socket.close(WebSocketClosing(1009, "a wish for a stream is at most \(Self.longestWish) bytes long"))
    }
    do throws(RPCResponse) {
      let request = try RPCRequest.read(text.utf8)
      // At once: the sooner the sender knows, the fresher is the next picture.
      let method = MediaMethod(rawValue: request.method)
      let isCredit = method?.isCredit == true
      if method == .previewStart {
        // Later the connection may be gone.
        let roundTrip = socket.leastRoundTrip
        state.withLock { $0.leastRoundTrip = roundTrip }
      }
      if isCredit { acknowledge(request, socket) }
      if isCredit, request.id == nil { return }
      if case .dropped = post.yield(request) {
        socket.close(WebSocketClosing(1008, "too many wishes wait; wait for the answers"))
      }
    } catch {
      socket.send(error.json.text)
    }
  }

  func next(for socket: WebSocket) -> WebSocketMessage.Outgoing? {
    while let (number, stream) = nextReady() {
      let message = stream.next()
      if stream.isOver { remove(number, stream) }
      guard let message else { continue }
      // It may have another one, after the others' turn.
      tellReady(number, socket)
      return message
    }
    return nil
  }

  func closed(_ socket: WebSocket, _ reason: WebSocketClosing) {
    post.finish()
    let streams = state.withLock { state in
      state.isClosed = true
      defer { state.streams = [:] }
      return Array(state.streams.values)
    }
    for stream in streams { stream.close() }
  }

  private func nextReady() -> (UInt32, any MediaStream)? {
    state.withLock { state in
      state.ready.removeAll { state.streams[$0] == nil }
      let urgencies = state.ready.compactMap { state.streams[$0]?.urgency }
      guard let most = urgencies.max(), let place = urgencies.firstIndex(of: most) else { return nil }
      let number = state.ready.remove(at: place)
      return state.streams[number].map { (number, $0) }
    }
  }

  private func tellReady(_ number: UInt32, _ socket: WebSocket) {
    state.withLock { state in
      if !state.ready.contains(number) { state.ready.append(number) }
    }
    socket.offer()
  }

  // MARK: Streams

  func stream(_ number: UInt32) -> (any MediaStream)? { state.withLock { $0.streams[number] } }

  /// Of the connection, where the network told it.
  var leastRoundTrip: Duration? { state.withLock { $0.leastRoundTrip } }

  /// In the place of the stream that has that number.
  /// - Parameter make: of what tells that there may be a message.
  func begin(
    _ number: UInt32, _ socket: WebSocket, _ make: (@escaping @Sendable () -> Void) -> any MediaStream
  ) throws(RPCError) {
    stop(number)
    let stream = make { [weak self, weak socket] in
      if let socket { self?.tellReady(number, socket) }
    }
    let refusal = state.withLock { state -> String? in
      if state.isClosed || state.streams.count >= Self.mostStreams {
        return "\(Self.mostStreams) streams go over this connection already. Stop some."
      }
      state.streams[number] = stream
      return nil
    }
    if let refusal {
      stream.close()
      throw RPCError(.tooManyMonitors, refusal)
    }
    tellReady(number, socket)
  }

  func stop(_ number: UInt32) { state.withLock { $0.streams.removeValue(forKey: number) }?.close() }

  /// Another one may have its number by now.
  private func remove(_ number: UInt32, _ stream: any MediaStream) {
    state.withLock { state in
      if state.streams[number] === stream { state.streams[number] = nil }
    }
  }

  private func acknowledge(_ request: RPCRequest, _ socket: WebSocket) {
    // What is wrong with it is told to whoever wants an answer.
    guard let credit = try? request.parameters(MediaCredit.self) else { return }
    stream(credit.stream)?.acknowledge(credit.sequence, leastRoundTrip: socket.leastRoundTrip)
  }

  // MARK: Wishes

  private func carryOut(_ request: RPCRequest, _ socket: WebSocket) async {
    let outcome: RPCResponse.Outcome
    do {
      outcome = .result(try await result(request, socket))
    } catch let error as RPCError {
      outcome = .failure(error)
    } catch let error as RigError {
      outcome = .failure(RPCError(error.code, error.message))
    } catch {
      outcome = .failure(RPCError(.internalError, "\(request.method): \(error)"))
    }
    answer(request, outcome, socket)
  }

  private func answer(_ request: RPCRequest, _ outcome: RPCResponse.Outcome, _ socket: WebSocket) {
    if let id = request.id {
      socket.send(RPCResponse(id: id, outcome).json.text)
    } else if case .failure(let error) = outcome, let method = MediaMethod(rawValue: request.method) {
      // Who does not ask for an answer shall still hear why nothing comes.
      tellEnd(method.ended, request.params["stream"] ?? 0, error.message, socket)
    }
  }

  func tellEnd(_ event: MediaEventName, _ stream: JSONValue, _ reason: String, _ socket: WebSocket) {
    socket.send(
      RPCNotification(method: event.rawValue, params: ["stream": stream, "reason": .string(reason)]).json.text)
  }

  private func result(_ request: RPCRequest, _ socket: WebSocket) async throws -> JSONValue {
    guard let method = MediaMethod(rawValue: request.method) else {
      throw RPCError(.methodUnknown, "there is no method \(request.method) on this connection")
    }
    switch method {
    case .previewStart: return try await startPictures(request, socket)
    case .soundStart: return try await startSound(request, socket)
    case .fileStart: return try await startFile(request, socket)
    // It was given when it came.
    case .previewCredit, .soundCredit, .fileCredit: _ = try request.parameters(MediaCredit.self)
    case .previewStop, .soundStop, .fileStop: stop(try request.parameters(MediaStreamReference.self).stream)
    }
    return [:]
  }
}

extension MediaMethod {
  fileprivate var isCredit: Bool {
    switch self {
    case .previewCredit, .soundCredit, .fileCredit: true
    case .previewStart, .previewStop, .soundStart, .soundStop, .fileStart, .fileStop: false
    }
  }
}
