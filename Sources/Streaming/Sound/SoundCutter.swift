import CamrigModel

/// Cuts sound of 48 kHz into chunks of 16 bits.
package struct SoundCutter {
  private let channels: Int
  /// Less than a chunk, interleaved.
  private var pending: [Float] = []

  package init(channels: Int) { self.channels = channels }

  /// - Parameter time: of the first of these samples.
  package mutating func add(_ samples: some Collection<Float>, at time: MediaTime) -> [SoundChunk] {
    var begin = time - Self.length(of: pending.count / channels)
    pending += samples
    let length = SoundChunk.frames * channels
    var chunks: [SoundChunk] = []
    var place = 0
    while pending.count - place >= length {
      chunks.append(
        SoundChunk(
          presentationTime: begin, channels: channels, bytes: Self.bytes(of: pending[place..<place + length])))
      place += length
      begin = begin + Self.length(of: SoundChunk.frames)
    }
    pending.removeFirst(place)
    return chunks
  }

  private static func length(of frames: Int) -> Duration {
    .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(SoundChunk.rate))
  }

  private static func bytes(of samples: ArraySlice<Float>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: samples.count * 2) { bytes, count in
      for sample in samples {
        // A broken sample is silence.
        let value = sample.isFinite ? Int16(max(-32768, min(32767, (sample * 32768).rounded()))) : 0
        let word = UInt16(bitPattern: value)
        bytes[count] = UInt8(truncatingIfNeeded: word)
        bytes[count + 1] = UInt8(truncatingIfNeeded: word >> 8)
        count += 2
      }
    }
  }
}
