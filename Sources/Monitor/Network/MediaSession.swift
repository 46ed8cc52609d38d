import CamrigModel
import HTTP
import RigControl
import Streaming

/// A monitor's WebSocket for pictures: it starts and acknowledges previews by texts, pictures go out as binary messages,
/// taken in turn from those that have one. See docs/ref/media-stream.md.
final class MediaSession: WebSocketSession {
  static let mostStreams = 32
  private static let longestWish = 4096

  private struct Stream {
    let sender: PreviewSender
    let preview: CameraPreview
  }

  private struct State {
    var streams: [UInt32: Stream] = [:]
    /// Who may have something, in turn.
    var ready: [UInt32] = []
    var isClosed = false
  }

  private let previews: PreviewRoom
  private let state = Guarded(State())
  private let wishes: AsyncStream<RPCRequest>
  private let post: AsyncStream<RPCRequest>.Continuation

  init(previews: PreviewRoom) {
    self.previews = previews
    (wishes, post) = AsyncStream.makeStream(of: RPCRequest.self, bufferingPolicy: .bufferingOldest(64))
  }

  func opened(_ socket: WebSocket) {
    // Ends with `post`.
    Task { [wishes] in
      for await wish in wishes { await self.carryOut(wish, socket) }
    }
  }

  func received(_ message: WebSocketMessage, from socket: WebSocket) {
    guard case .text(let text) = message else {
      return socket.close(WebSocketClosing(1003, "wishes are JSON texts"))
    }
    guard text.utf8.count <= Self.longestWish else {
      return socket.close(WebSocketClosing(1009, "a wish for pictures is at most \(Self.longestWish) bytes long"))
    }
    do throws(RPCResponse) {
      let request = try RPCRequest.read(text.utf8)
      // At once: the sooner the sender knows, the fresher is the next picture.
      if request.method == "preview.credit" { return acknowledge(request, socket.leastRoundTrip) }
      if case .dropped = post.yield(request) {
        socket.close(WebSocketClosing(1008, "too many wishes wait; wait for the answers"))
      }
    } catch {
      socket.send(error.json.text)
    }
  }

  func next(for socket: WebSocket) -> WebSocketMessage.Outgoing? {
    while let (number, stream) = nextReady() {
      guard let message = stream.sender.next() else { continue }
      // It may have another one, after the others' turn.
      tellReady(number, socket)
      return WebSocketMessage.Outgoing(binary: [message.header.bytes, FramePayload(frame: message.frame)])
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
    for stream in streams { stream.sender.close() }
  }

  private func nextReady() -> (UInt32, Stream)? {
    state.withLock { state in
      while !state.ready.isEmpty {
        let number = state.ready.removeFirst()
        if let stream = state.streams[number] { return (number, stream) }
      }
      return nil
    }
  }

  private func tellReady(_ number: UInt32, _ socket: WebSocket) {
    state.withLock { state in
      if !state.ready.contains(number) { state.ready.append(number) }
    }
    socket.offer()
  }

  // MARK: Wishes

  private struct StartRequest: Decodable {
    let stream: UInt32
    let camera: String
    let longEdge: Int?
    let rate: FrameRate?
    let quality: Int?
    let credit: Int?

    var form: PreviewForm {
      .shared(longEdge: longEdge, rate: rate, quality: quality)
    }
  }

  private struct CreditRequest: Decodable {
    let stream: UInt32
    /// Of the last picture that arrived.
    let sequence: UInt64
  }

  private struct StopRequest: Decodable {
    let stream: UInt32
  }

  private func carryOut(_ request: RPCRequest, _ socket: WebSocket) async {
    let outcome: RPCResponse.Outcome
    do {
      switch request.method {
      case "preview.start": outcome = .result(try await start(request.parameters(StartRequest.self), socket))
      case "preview.stop":
        stop(try request.parameters(StopRequest.self).stream)
        outcome = .result([:])
      default: throw RPCError(.methodUnknown, "there is no method \(request.method) on this connection")
      }
    } catch let error as RPCError {
      outcome = .failure(error)
    } catch let error as RigError {
      outcome = .failure(RPCError(error.code, error.message))
    } catch {
      outcome = .failure(RPCError(.internalError, "\(request.method): \(error)"))
    }
    if let id = request.id {
      socket.send(RPCResponse(id: id, outcome).json.text)
    } else if case .failure(let error) = outcome {
      // Who does not ask for an answer shall still hear why nothing comes.
      let stream = request.params["stream"] ?? 0
      socket.send(
        RPCNotification(method: "preview.ended", params: ["stream": stream, "reason": .string(error.message)]).json.text
      )
    }
  }

  private func start(_ wish: StartRequest, _ socket: WebSocket) async throws -> JSONValue {
    let (id, preview) = try await previews.preview(of: wish.camera)
    if let running = state.withLock({ $0.streams[wish.stream] }), running.preview === preview {
      running.sender.setForm(wish.form)
      if let credit = wish.credit { running.sender.setCredit(credit) }
      return ["stream": .integer(Int64(wish.stream)), "camera": .string(id.rawValue)]
    }
    stop(wish.stream)
    let number = wish.stream
    let sender = PreviewSender(
      preview, stream: number, form: wish.form, credit: wish.credit ?? 2, roundTrip: socket.leastRoundTrip
    ) { [weak self, weak socket] in
      if let socket { self?.tellReady(number, socket) }
    }
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.streams.count < Self.mostStreams else { return false }
      state.streams[number] = Stream(sender: sender, preview: preview)
      return true
    }
    guard isTaken else {
      sender.close()
      throw RPCError(.tooManyMonitors, "\(Self.mostStreams) previews go over this connection already. Stop some.")
    }
    tellReady(number, socket)
    return ["stream": .integer(Int64(number)), "camera": .string(id.rawValue)]
  }

  private func stop(_ number: UInt32) {
    state.withLock { $0.streams.removeValue(forKey: number) }?.sender.close()
  }

  private func acknowledge(_ request: RPCRequest, _ leastRoundTrip: Duration?) {
    guard let credit = try? request.parameters(CreditRequest.self) else { return }
    state.withLock { $0.streams[credit.stream] }?.sender
      .acknowledge(credit.sequence, leastRoundTrip: leastRoundTrip)
  }
}
