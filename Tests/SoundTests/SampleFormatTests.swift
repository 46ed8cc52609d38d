import Sound
import Testing

@Suite("Samples as floats")
struct SampleFormatTests {
  private func floats(_ format: SampleFormat, _ bytes: [UInt8]) -> [Float] {
    bytes.withUnsafeBytes { format.floats($0) }
  }

  @Test("full scale, a half and silence come out right in each format")
  func scale() {
    #expect(floats(.s16, [0x00, 0x80, 0x00, 0x40, 0x00, 0x00]) == [-1, 0.5, 0])
    #expect(floats(.s24Packed, [0, 0, 0x80, 0, 0, 0x40, 0, 0, 0, 0xFF, 0xFF, 0xFF]) == [-1, 0.5, 0, -1 / 8_388_608])
    #expect(floats(.s32, [0, 0, 0, 0x80, 0, 0, 0, 0x40]) == [-1, 0.5])
    #expect(floats(.u8, [0, 128, 192]) == [-1, 0, 0.5])
  }

  @Test("what stands in the unused byte of 24 bits in four is not heard")
  func unusedByte() {
    #expect(floats(.s24, [0, 0, 0x40, 0x77, 0, 0, 0x80, 0x00]) == [0.5, -1])
  }

  @Test("a float that is no number is silence")
  func notANumber() {
    let values: [Float] = [0.25, .nan, .infinity, -0.5]
    #expect(values.withUnsafeBytes { SampleFormat.float.floats($0) } == [0.25, 0, 0, -0.5])
  }
}
