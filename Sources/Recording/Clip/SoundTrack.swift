import CamrigModel
import Codec
import Movie

/// A microphone's track in the open clip.
final class SoundTrack {
  let line: MicrophoneLine
  private(set) var record: ClipMicrophone
  /// The clip's beginning on the take's grid.
  private let first: Int64
  /// Up to where the sound is in the clip, or in its encoder.
  private var next: Int64
  /// PCM in a container whose players know 24 bits.
  private let mayHave24Bits: Bool
  /// Of a track of AAC; it has its own for each clip, since each clip begins with its priming.
  private let encoder: AACEncoder?
  /// Of a track of AAC: where its next packet begins.
  private var ticks: Int64 = 0

  /// - Parameter record: its bits are chosen here.
  init(
    _ line: MicrophoneLine, record: ClipMicrophone, encoder: AACEncoder?, container: MovieContainer, first: Int64
  ) {
    self.line = line
    self.record = record
    self.encoder = encoder
    mayHave24Bits = encoder == nil && container == .quickTime
    self.record.bits = mayHave24Bits && line.bits == 24 ? 24 : nil
    self.first = first
    next = first
    line.open(at: first)
  }

  var media: TrackMedia {
    guard let encoder else { return .pcm(rate: record.rate, channels: record.channels, bits: bits) }
    return .aac(
      rate: record.rate, channels: record.channels, configuration: encoder.configuration, priming: encoder.priming)
  }

  private var bits: Int { record.bits ?? 16 }

  /// The microphone has come since the clip began, and has more than was known of it then.
  var isTooNarrow: Bool {
    line.hasCome && (line.channels > record.channels || mayHave24Bits && line.bits > bits)
  }

  /// Its encoder failed: the track ends here.
  private(set) var hasFailed = false

  /// What there is up to `end` on the grid; nil: nothing. It stays in the line until it is `wrote`.
  ///
  /// - Parameter closing: nothing follows.
  func gather(upTo end: Int64, closing: Bool) throws(CodecError) -> GatheredSound? {
    let end = max(next, min(end, line.end ?? next))
    guard !hasFailed else {
      line.drop(before: end)
      return nil
    }
    do throws(CodecError) {
      return try sound(next..<end, closing: closing)
    } catch {
      hasFailed = true
      throw error
    }
  }

  private func sound(_ range: Range<Int64>, closing: Bool) throws(CodecError) -> GatheredSound? {
    let end = range.upperBound
    let (samples, found) = line.read(range, channels: record.channels)
    let silences = found.map { Silence(cause: $0.cause, first: $0.first - first, count: $0.count) }
    let pieces: SoundPieces
    if let encoder {
      var packets = try encoder.encode(samples)
      if closing { packets += try encoder.finish() }
      pieces = SoundPieces(packets: packets, ticks: closing ? Int64(encoder.priming) + end - first - ticks : .max)
    } else {
      pieces = SoundPieces(pcm: samples, channels: record.channels, bits: bits)
    }
    let firstTime = encoder == nil ? next - first : ticks
    ticks += pieces.ticks
    guard !range.isEmpty || !pieces.samples.isEmpty else { return nil }
    return GatheredSound(track: record.track, range: range, silences: silences, firstTime: firstTime, pieces: pieces)
  }

  func wrote(_ sound: GatheredSound) {
    record.samples &+= UInt64(sound.range.count)
    record.silence.merge(sound.silences.byCause) { $0 &+ $1 }
    next = sound.range.upperBound
    line.drop(before: next)
  }
}
