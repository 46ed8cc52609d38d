import Codec
import Testing

@Suite("Bounds of H.264 parameter sets")
struct ParameterSetBoundsTests {
  @Test("more of them than a movie's header can name are left out, and those that are known still change")
  func number() {
    var sets = H264ParameterSets()
    for id in 0...31 { _ = take(Self.sequence(id), &sets) }
    for id in 0...255 { _ = take(Self.picture(id), &sets) }
    #expect(sets.sequence.count == H264ParameterSets.mostSequence)
    #expect(sets.picture.count == H264ParameterSets.mostPicture)
    #expect(!take(Self.sequence(31), &sets) && !take(Self.picture(255), &sets))
    #expect(take(Self.picture(0, then: "1"), &sets))
  }

  @Test("one that is longer than a movie's header can say is left out")
  func length() {
    var sets = H264ParameterSets()
    let surplus = [UInt8](repeating: 0xaa, count: H264ParameterSets.mostBytes)
    #expect(!take(Self.sequence(0) + surplus, &sets) && !take(Self.picture(0) + surplus, &sets))
    #expect(sets == H264ParameterSets())
    #expect(take(Self.picture(0) + surplus.dropLast(3), &sets))
  }

  private func take(_ unit: [UInt8], _ sets: inout H264ParameterSets) -> Bool {
    let bytes = [0, 0, 1] + unit
    return bytes.withUnsafeBytes { bytes in
      guard let parsed = try? H264AccessUnit(bytes) else { return false }
      return sets.take(parsed, from: bytes)
    }
  }

  /// A baseline stream of 64x64.
  private static func sequence(_ id: Int) -> [UInt8] {
    // Level 1; frame numbers, order of type 2, one reference, no gaps, 4 by 4 macroblocks, frames only, no crop, no VUI.
    [0x67, 66, 0, 10] + bits(number(id) + number(0) + number(2) + number(1) + "0" + number(3) + number(3) + "1100")
  }

  private static func picture(_ id: Int, then more: String = "") -> [UInt8] {
    [0x68] + bits(number(id) + number(0) + more)
  }

  /// `ue(v)`
  private static func number(_ value: Int) -> String {
    let digits = String(value + 1, radix: 2)
    return String(repeating: "0", count: digits.count - 1) + digits
  }

  /// With the stop bit.
  private static func bits(_ digits: String) -> [UInt8] {
    let padded = digits + "1" + String(repeating: "0", count: (8 - (digits.count + 1) % 8) % 8)
    return stride(from: 0, to: padded.count, by: 8).compactMap { UInt8(padded.dropFirst($0).prefix(8), radix: 2) }
  }
}
