import CamrigModel
import HTTP
import Streaming

/// What begins a stream, or changes one that runs.
extension MediaSession {
  func startPictures(_ request: RPCRequest, _ socket: WebSocket) async throws -> JSONValue {
    let wish = try request.parameters(PreviewStartRequest.self)
    let (id, preview) = try await sources.previews.preview(of: wish.camera)
    let form = PreviewForm.shared(longEdge: wish.longEdge, rate: wish.rate, quality: wish.quality)
    if let running = stream(wish.stream) as? PictureStream, running.preview === preview {
      running.change(form, credit: wish.credit)
    } else {
      try begin(wish.stream, socket) {
        PictureStream(
          preview, stream: wish.stream, form: form, credit: wish.credit ?? 2, roundTrip: leastRoundTrip,
          ready: $0)
      }
    }
    return try JSONValue(encoding: PreviewStarted(stream: wish.stream, camera: id))
  }

  func startSound(_ request: RPCRequest, _ socket: WebSocket) async throws -> JSONValue {
    let wish = try request.parameters(SoundStartRequest.self)
    let (id, preview) = try await sources.sounds.sound(of: wish.microphone)
    if let running = stream(wish.stream) as? SoundStream, running.preview === preview {
      if let credit = wish.credit { running.setCredit(credit) }
    } else {
      try begin(wish.stream, socket) { SoundStream(preview, stream: wish.stream, credit: wish.credit, ready: $0) }
    }
    return try JSONValue(encoding: SoundStarted(stream: wish.stream, microphone: id, rate: SoundChunk.rate))
  }

  func startFile(_ request: RPCRequest, _ socket: WebSocket) async throws -> JSONValue {
    let wish = try request.parameters(FileStartRequest.self)
    let file = try await sources.file(wish.path)
    let bytes = UInt64(file.size)
    let offset = wish.offset ?? 0
    guard offset <= bytes else {
      throw RPCError(.paramsInvalid, "\(wish.path) has \(bytes) bytes just now; offset lies behind them")
    }
    let number = wish.stream
    try begin(number, socket) { ready in
      FileStream(
        file, stream: number, offset: offset, length: wish.length, credit: wish.credit, ready: ready,
        failed: { [weak self, weak socket] reason in
          guard let socket else { return }
          self?.tellEnd(.fileEnded, .integer(Int64(number)), reason, socket)
          // So that the session lets go of it.
          ready()
        })
    }
    return try JSONValue(
      encoding: FileStarted(stream: number, offset: offset, bytes: bytes, entityTag: file.entityTag))
  }
}
