/// The head of a WAV file of 16-bit samples (RIFF). All numbers are little-endian.
package struct WaveHeader: Hashable, Sendable {
  package static let byteCount = 44

  package let channels: Int
  /// Sample frames a second.
  package let rate: Int
  /// Of the sound behind it; nil: it has no end yet, which readers know by the largest number.
  package let soundBytes: Int?

  package init(channels: Int, rate: Int, soundBytes: Int? = nil) {
    self.channels = channels
    self.rate = rate
    self.soundBytes = soundBytes
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func put<T: FixedWidthInteger>(_ number: T) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    let sound = soundBytes.map { UInt32(clamping: $0) } ?? .max
    bytes += Array("RIFF".utf8)
    put(soundBytes == nil ? .max : UInt32(clamping: Int(sound) + Self.byteCount - 8))
    bytes += Array("WAVEfmt ".utf8)
    put(UInt32(16))
    // PCM.
    put(UInt16(1))
    put(UInt16(clamping: channels))
    put(UInt32(clamping: rate))
    put(UInt32(clamping: rate * channels * 2))
    put(UInt16(clamping: channels * 2))
    put(UInt16(16))
    bytes += Array("data".utf8)
    put(sound)
    return bytes
  }
}
