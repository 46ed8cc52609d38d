import CamrigModel
import HTTP
import Streaming

/// A microphone's sound as an endless WAV for tools that know nothing but HTTP: 48 kHz, 16 bits, stereo whatever the
/// microphone has, so that another one in its place is heard, too. Whoever reads slowly misses some of it.
final class WaveSound: HTTPBodyStream {
  static let type = "audio/wav"
  static let header = WaveHeader(channels: 2, rate: SoundChunk.rate)

  private struct State {
    var reader: SoundReader?
    var hasBegun = false
  }

  private let preview: SoundPreview
  private let state = Guarded(State())

  init(_ preview: SoundPreview) { self.preview = preview }

  func begin(wake: @escaping @Sendable () -> Void) {
    let reader = preview.open(ready: wake)
    state.withLock { $0.reader = reader }
  }

  func next() -> HTTPStreamPiece {
    let (reader, isFirst) = state.withLock { state in
      defer { state.hasBegun = true }
      return (state.reader, !state.hasBegun)
    }
    if isFirst { return .bytes([Self.header.bytes]) }
    guard let chunk = reader?.next()?.chunk else { return .later }
    return .bytes([chunk.channels == 2 ? chunk.bytes : Self.doubled(chunk.bytes)])
  }

  func ended() {
    let reader = state.withLock { state in
      defer { state.reader = nil }
      return state.reader
    }
    reader?.close()
  }

  /// The same on both sides.
  private static func doubled(_ mono: [UInt8]) -> [UInt8] {
    var stereo: [UInt8] = []
    stereo.reserveCapacity(mono.count * 2)
    for place in stride(from: 0, to: mono.count, by: 2) {
      for _ in 0..<2 { stereo += mono[place..<place + 2] }
    }
    return stereo
  }
}
