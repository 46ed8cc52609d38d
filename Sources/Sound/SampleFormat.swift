import CALSA

/// How a sample stands in the driver's memory. Each can be turned into `Float` without loss that anybody hears.
package enum SampleFormat: String, CaseIterable, Sendable {
  /// 24 bits in three bytes, as USB carries them.
  case s24Packed = "S24_3LE"
  case s32 = "S32_LE"
  /// 24 bits in the lower bytes of four.
  case s24 = "S24_LE"
  case float = "FLOAT_LE"
  case s16 = "S16_LE"
  case u8 = "U8"

  package var byteCount: Int {
    switch self {
    case .s24Packed: 3
    case .s32, .s24, .float: 4
    case .s16: 2
    case .u8: 1
    }
  }

  /// A `Float` holds 24.
  var significantBits: Int {
    switch self {
    case .s24Packed, .s32, .s24, .float: 24
    case .s16: 16
    case .u8: 8
    }
  }

  var alsa: snd_pcm_format_t {
    switch self {
    case .s24Packed: SND_PCM_FORMAT_S24_3LE
    case .s32: SND_PCM_FORMAT_S32_LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .float: SND_PCM_FORMAT_FLOAT_LE
    case .s16: SND_PCM_FORMAT_S16_LE
    case .u8: SND_PCM_FORMAT_U8
    }
  }

  /// Full scale becomes ±1. A float that is no number becomes silence.
  package func floats(_ bytes: UnsafeRawBufferPointer) -> [Float] {
    let count = bytes.count / byteCount
    return [Float](unsafeUninitializedCapacity: count) { out, filled in
      switch self {
      case .s16:
        for i in 0..<count {
          out[i] = Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * i, as: Int16.self))) / 32768
        }
      case .s32:
        for i in 0..<count { out[i] = Float(number(bytes, 4 * i)) / 2_147_483_648 }
      case .s24:
        // The upper byte may hold anything.
        for i in 0..<count { out[i] = Float(number(bytes, 4 * i) << 8) / 2_147_483_648 }
      case .s24Packed:
        for i in 0..<count {
          let value = UInt32(bytes[3 * i]) << 8 | UInt32(bytes[3 * i + 1]) << 16 | UInt32(bytes[3 * i + 2]) << 24
          out[i] = Float(Int32(bitPattern: value)) / 2_147_483_648
        }
      case .float:
        for i in 0..<count {
          let value = Float(bitPattern: UInt32(bitPattern: number(bytes, 4 * i)))
          out[i] = value.isFinite ? value : 0
        }
      case .u8:
        for i in 0..<count { out[i] = (Float(bytes[i]) - 128) / 128 }
      }
      filled = count
    }
  }

  private func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int32 {
    Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
  }
}
