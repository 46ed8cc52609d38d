/// The fields of an SPS that `avcC` repeats for the High profiles (ISO/IEC 14496-15, 5.3.3.1).
struct ChromaAndDepth: Equatable {
  let chromaFormat: Int
  let lumaBitsAbove8: Int
  let chromaBitsAbove8: Int

  /// Nil for profiles that have no such fields, and for an SPS that ends too early.
  init?(sps: [UInt8]) {
    guard sps.count >= 4, [100, 110, 122, 144, 244].contains(sps[1]) else { return nil }
    var bits = Bits(Self.withoutEmulationPrevention(sps.dropFirst(4).prefix(64)))
    guard bits.exponentialGolomb() != nil, let chroma = bits.exponentialGolomb(), chroma <= 3 else { return nil }
    if chroma == 3, bits.next() == nil { return nil }
    guard let luma = bits.exponentialGolomb(), let chromaBits = bits.exponentialGolomb(), luma <= 6, chromaBits <= 6
    else { return nil }
    chromaFormat = chroma
    lumaBitsAbove8 = luma
    chromaBitsAbove8 = chromaBits
  }

  private static func withoutEmulationPrevention(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var out: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      out.append(byte)
    }
    return out
  }

  private struct Bits {
    let bytes: [UInt8]
    var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Int? {
      guard at < bytes.count * 8 else { return nil }
      defer { at += 1 }
      return Int(bytes[at / 8] >> UInt8(7 - at % 8)) & 1
    }

    mutating func exponentialGolomb() -> Int? {
      var zeros = 0
      while true {
        guard let bit = next(), zeros <= 16 else { return nil }
        if bit == 1 { break }
        zeros += 1
      }
      var value = 1
      for _ in 0..<zeros {
        guard let bit = next() else { return nil }
        value = value << 1 | bit
      }
      return value - 1
    }
  }
}
