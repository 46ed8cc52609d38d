import CamrigModel
import HTTP
import Streaming

/// A monitor that listens, acknowledging each message.
final class Listener: WebSocketSession {
  private let state = Guarded<(sound: HeardSound, answer: JSONValue?)>((HeardSound(), nil))
  private let stream: UInt32

  init(stream: UInt32) { self.stream = stream }

  var answer: JSONValue? { state.withLock { $0.answer } }
  var sound: HeardSound { state.withLock { $0.sound } }

  func opened(_ socket: WebSocket) {}
  func closed(_ socket: WebSocket, _ reason: WebSocketClosing) {}

  func received(_ message: WebSocketMessage, from socket: WebSocket) {
    switch message {
    case .text(let text): state.withLock { $0.answer = try? JSONValue(json: text.utf8) }
    case .binary(let bytes):
      guard let header = MediaHeader(bytes), header.kind == .sound, header.stream == stream else { return }
      state.withLock { $0.sound.add(header, bytes) }
      socket.send(
        RPCNotification(
          method: "sound.credit",
          params: ["stream": .integer(Int64(stream)), "sequence": .integer(Int64(header.sequence))]
        ).json.text)
    }
  }
}

/// Mono sound as a listener got it.
struct HeardSound {
  struct Beep {
    /// Of its begin, from the nearest second of the rig's clock.
    var offBySeconds: Double
    var seconds: Double
    var hertz: Double
  }

  private var messages: [(microseconds: Int64, skipped: Int, samples: [Int16])] = []

  var count: Int { messages.count }

  mutating func add(_ header: MediaHeader, _ bytes: [UInt8]) {
    let samples = stride(from: MediaHeader.byteCount, to: bytes.count, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    messages.append((header.presentationMicroseconds, Int(header.detail.skipped), samples))
  }

  func isSilent(lastMessages count: Int) -> Bool {
    messages.suffix(count).allSatisfy { $0.samples.allSatisfy { $0 == 0 } }
  }

  /// Those that were heard whole and with a tenth of a second before them, in order. On a machine that is busy a listener
  /// misses some of it.
  var beeps: [Beep] {
    var beeps: [Beep] = []
    var open: (begin: Double, last: Double, turns: Int)?
    var quiet = 0
    var before: Int16 = 0
    var expected: Int64 = 0
    for message in messages {
      if message.skipped > 0 || abs(message.microseconds - expected) > 3000 { (open, quiet) = (nil, 0) }
      expected = message.microseconds + 20_000
      for (place, sample) in message.samples.enumerated() {
        let time = Double(message.microseconds) / 1e6 + Double(place) / 48_000
        if abs(Int(sample)) > 500 {
          if open == nil, quiet > 4800 { open = (time, time, 0) }
          open?.last = time
          quiet = 0
        } else {
          quiet += 1
        }
        if before < 0, sample >= 0 { open?.turns += 1 }
        before = sample
        if quiet == 4800, let beep = open {
          let seconds = beep.last - beep.begin
          beeps.append(
            Beep(
              offBySeconds: beep.begin - beep.begin.rounded(), seconds: seconds, hertz: Double(beep.turns) / seconds))
          open = nil
        }
      }
    }
    return beeps
  }
}
