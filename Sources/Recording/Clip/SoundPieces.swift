import Codec
import Movie

/// Sound as samples of a movie, and the memory that they point into.
final class SoundPieces {
  let samples: [FragmentSample]
  let ticks: Int64
  let byteCount: Int
  private let bytes: UnsafeMutableRawBufferPointer

  /// - Parameter bits: 16 or 24.
  init(pcm values: [Float], channels: Int, bits: Int) {
    byteCount = values.count * bits / 8
    bytes = .allocate(byteCount: max(byteCount, 1), alignment: 16)
    if bits == 24 { Self.put24(values, bytes) } else { Self.put16(values, bytes) }
    let frames = values.count / channels
    let limit = FragmentSample.pcmFrameLimit
    let frameByteCount = bits / 8 * channels
    let all = UnsafeRawBufferPointer(bytes)
    samples = stride(from: 0, to: frames, by: limit).map { first in
      let end = min(first + limit, frames)
      let piece = UnsafeRawBufferPointer(rebasing: all[first * frameByteCount..<end * frameByteCount])
      return FragmentSample(duration: Int64(end - first), pieces: [piece])
    }
    ticks = Int64(frames)
  }

  private static func put16(_ values: [Float], _ bytes: UnsafeMutableRawBufferPointer) {
    let out = bytes.bindMemory(to: Int16.self)
    for place in values.indices {
      out[place] = Int16(max(-32768, min(32767, (values[place] * 32768).rounded()))).littleEndian
    }
  }

  private static func put24(_ values: [Float], _ bytes: UnsafeMutableRawBufferPointer) {
    for place in values.indices {
      let value = Int32(max(-8_388_608, min(8_388_607, (values[place] * 8_388_608).rounded())))
      for byte in 0..<3 { bytes[3 * place + byte] = UInt8(truncatingIfNeeded: value >> Int32(8 * byte)) }
    }
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
