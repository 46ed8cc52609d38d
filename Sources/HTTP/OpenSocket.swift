import CWebSockets
import CamrigModel

/// What libwebsockets wants to know of an open WebSocket, of a server or a client. Belongs to the service's thread.
/// Results are those of libwebsockets' callbacks: -1 closes.
final class OpenSocket {
  let socket: WebSocket
  private let session: any WebSocketSession
  private let wsi: OpaquePointer
  private let mostIncoming: Int
  /// For a last word to somebody who may take none.
  private let lastWordSeconds: UInt32
  private var incoming: [UInt8] = []
  /// The message that is being sent, and how much of it was.
  private var outgoing: (message: WebSocketMessage.Outgoing, sent: Int)?
  /// What the other side said, or we.
  private var closing: WebSocketClosing?
  private var isOver = false
  /// Nil where the other side is looked after otherwise.
  private var signs: LifeSigns?

  init(
    _ socket: WebSocket, _ session: any WebSocketSession, wsi: OpaquePointer, mostIncoming: Int,
    lastWordSeconds: UInt32, signs: LifeSigns? = nil
  ) {
    self.socket = socket
    self.session = session
    self.wsi = wsi
    self.mostIncoming = mostIncoming
    self.lastWordSeconds = lastWordSeconds
    self.signs = signs
  }

  func opened() { session.opened(socket) }

  // MARK: Receiving

  func receive(_ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
    signs?.hear()
    let promised = incoming.count + bytes.count + Int(lws_remaining_packet_payload(wsi))
    guard promised <= mostIncoming else { return close(.tooLarge) }
    incoming.append(contentsOf: bytes)
    guard lws_is_final_fragment(wsi) != 0 else { return 0 }
    let content = incoming
    incoming = []
    // libwebsockets has seen to it that text is UTF-8.
    let isBinary = lws_frame_is_binary(wsi) != 0
    session.received(isBinary ? .binary(content) : .text(String(decoding: content, as: UTF8.self)), from: socket)
    return 0
  }

  func isGone(at now: MediaTime, _ progress: LifeSigns.Progress?) -> Bool { signs?.isGone(at: now, progress) ?? false }

  func peerCloses(_ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
    guard closing == nil else { return 0 }
    closing =
      bytes.count < 2
      ? WebSocketClosing(1005, "")
      : WebSocketClosing(UInt16(bytes[0]) << 8 | UInt16(bytes[1]), String(decoding: bytes[2...], as: UTF8.self))
    return 0
  }

  // MARK: Sending

  /// There is something to send, or to close for.
  func announced() {
    socket.noticed()
    // One that takes nothing never gets to read why.
    if socket.closing != nil { cws_limit(wsi, lastWordSeconds) }
    lws_callback_on_writable(wsi)
  }

  /// The socket takes more.
  func pump(_ scratch: UnsafeMutableRawBufferPointer) -> Int32 {
    // A few messages, so that the others have their turn.
    for _ in 0..<8 {
      if lws_partial_buffered(wsi) != 0 { return 0 }
      if outgoing == nil {
        switch socket.step() {
        case .nothing: return 0
        case .close(let reason): return close(reason)
        case .send(let message): outgoing = (message, 0)
        case .ask: outgoing = session.next(for: socket).map { ($0, 0) }
        }
      }
      guard writeNext(UnsafeMutableRawBufferPointer(rebasing: scratch[Int(cws_pre)...])) else { return -1 }
      if lws_send_pipe_choked(wsi) != 0 { break }
    }
    lws_callback_on_writable(wsi)
    return 0
  }

  private func writeNext(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard let (message, sent) = outgoing else { return true }
    let count = message.copy(from: sent, to: buffer)
    let isLast = sent + count == message.byteCount
    var kind =
      sent > 0 ? LWS_WRITE_CONTINUATION.rawValue : (message.isText ? LWS_WRITE_TEXT : LWS_WRITE_BINARY).rawValue
    if !isLast { kind |= LWS_WRITE_NO_FIN.rawValue }
    outgoing = isLast ? nil : (message, sent + count)
    return cws_write(wsi, buffer.baseAddress, count, Int32(kind)) >= 0
  }

  // MARK: Ending

  private func close(_ reason: WebSocketClosing) -> Int32 {
    if closing == nil { closing = reason }
    // A control frame holds 125 bytes, two of them the code.
    let text = Array(reason.text.utf8.prefix(123))
    cws_close_reason(wsi, Int32(reason.code), text, text.count)
    return -1
  }

  /// It is gone. Said again and again, the session hears it once.
  func closed() {
    guard !isOver else { return }
    isOver = true
    socket.over()
    session.closed(socket, closing ?? socket.closing ?? .lost)
  }
}

extension WebSocketMessage.Outgoing {
  /// Copies what comes after `start` bytes to the beginning of `buffer`; how much.
  func copy(from start: Int, to buffer: UnsafeMutableRawBufferPointer) -> Int {
    var skipped = 0
    var count = 0
    for part in parts where count < buffer.count {
      part.withBytes { bytes in
        let first = max(0, start - skipped)
        if first < bytes.count {
          let taken = min(bytes.count - first, buffer.count - count)
          UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[first..<(first + taken)]))
          count += taken
        }
        skipped += bytes.count
      }
    }
    return count
  }
}
