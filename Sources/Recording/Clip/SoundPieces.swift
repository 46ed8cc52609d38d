import Codec
import Movie

/// Sound as samples of a movie, and the memory that they point into.
final class SoundPieces {
  let samples: [FragmentSample]
  let ticks: Int64
  let byteCount: Int
  private let bytes: UnsafeMutableRawBufferPointer

  init(pcm values: [Float], channels: Int) {
    byteCount = values.count * 2
    bytes = .allocate(byteCount: max(byteCount, 1), alignment: 16)
    let out = bytes.bindMemory(to: Int16.self)
    for place in values.indices {
      out[place] = Int16(max(-32768, min(32767, (values[place] * 32768).rounded()))).littleEndian
    }
    let frames = values.count / channels
    let limit = FragmentSample.pcmFrameLimit
    let frameByteCount = 2 * channels
    let all = UnsafeRawBufferPointer(bytes)
    samples = stride(from: 0, to: frames, by: limit).map { first in
      let end = min(first + limit, frames)
      let piece = UnsafeRawBufferPointer(rebasing: all[first * frameByteCount..<end * frameByteCount])
      return FragmentSample(duration: Int64(end - first), pieces: [piece])
    }
    ticks = Int64(frames)
  }

  /// - Parameter ticks: no more than these: the last packet is shorter, one beyond them is left out.
  init(packets: [[UInt8]], ticks limit: Int64) {
    bytes = .allocate(byteCount: max(packets.reduce(0) { $0 + $1.count }, 1), alignment: 16)
    let all = UnsafeRawBufferPointer(bytes)
    var samples: [FragmentSample] = []
    var place = 0
    var ticks: Int64 = 0
    for packet in packets where ticks < limit {
      let length = min(Int64(AACEncoder.packetLength), limit - ticks)
      UnsafeMutableRawBufferPointer(rebasing: bytes[place...]).copyBytes(from: packet)
      let piece = UnsafeRawBufferPointer(rebasing: all[place..<place + packet.count])
      samples.append(FragmentSample(duration: length, pieces: [piece]))
      place += packet.count
      ticks += length
    }
    self.samples = samples
    self.ticks = ticks
    byteCount = place
  }

  deinit { bytes.deallocate() }
}
