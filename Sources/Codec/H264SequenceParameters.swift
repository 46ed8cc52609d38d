import CamrigModel

/// What an SPS says of the stream.
package struct H264SequenceParameters: Hashable, Sendable {
  package let id: Int
  package let profile: UInt8
  /// The byte of constraint flags between profile and level.
  package let constraints: UInt8
  package let level: UInt8
  /// `chroma_format_idc`: 1 is 4:2:0.
  package let chromaFormat: Int
  package let lumaBitDepth: Int
  package let chromaBitDepth: Int
  /// After cropping.
  package let size: PixelSize

  /// - Parameter unit: a NAL unit with its header. Nil for anything that is no valid SPS.
  package init?(_ unit: UnsafeRawBufferPointer) {
    guard unit.count >= 5, unit[0] & 0x9f == H264NALUnit.Kind.sequenceParameters else { return nil }
    profile = unit[1]
    constraints = unit[2]
    level = unit[3]
    var reader = H264BitReader(unit, from: 4)
    id = reader.unsigned(upTo: 31)
    var chroma = 1
    var depths = (luma: 8, chroma: 8)
    var separatePlanes = false
    if Self.profilesWithChroma.contains(profile) {
      chroma = reader.unsigned(upTo: 3)
      if chroma == 3 { separatePlanes = reader.flag() }
      depths.luma += reader.unsigned(upTo: 6)
      depths.chroma += reader.unsigned(upTo: 6)
      _ = reader.bit()  // qpprime_y_zero_transform_bypass_flag
      if reader.flag() {
        for index in 0..<(chroma == 3 ? 12 : 8) where reader.flag() {
          Self.skipScalingList(&reader, count: index < 6 ? 16 : 64)
        }
      }
    }
    _ = reader.unsigned(upTo: 12)  // log2_max_frame_num_minus4
    Self.skipOrderCount(&reader)
    _ = reader.unsigned()  // max_num_ref_frames
    _ = reader.bit()  // gaps_in_frame_num_value_allowed_flag
    // 16384 pixels are more than any level allows.
    let columns = reader.unsigned(upTo: 1023) + 1
    let rows = reader.unsigned(upTo: 1023) + 1
    let framesOnly = reader.flag()
    if !framesOnly { _ = reader.bit() }  // mb_adaptive_frame_field_flag
    _ = reader.bit()  // direct_8x8_inference_flag
    var width = columns * 16
    var height = rows * 16 * (framesOnly ? 1 : 2)
    if reader.flag() {
      let sampling = separatePlanes ? 0 : chroma
      let unitX = sampling == 1 || sampling == 2 ? 2 : 1
      let unitY = (sampling == 1 ? 2 : 1) * (framesOnly ? 1 : 2)
      width -= unitX * (reader.unsigned(upTo: 16383) + reader.unsigned(upTo: 16383))
      height -= unitY * (reader.unsigned(upTo: 16383) + reader.unsigned(upTo: 16383))
    }
    guard !reader.failed, width > 0, height > 0 else { return nil }
    chromaFormat = chroma
    lumaBitDepth = depths.luma
    chromaBitDepth = depths.chroma
    size = PixelSize(width: width, height: height)
  }

  /// Of these the SPS names chroma format and bit depths; the others are 4:2:0 in 8 bits.
  private static let profilesWithChroma: Set<UInt8> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

  private static func skipScalingList(_ reader: inout H264BitReader, count: Int) {
    var last = 8
    var next = 8
    for _ in 0..<count where !reader.failed {
      if next != 0 { next = (last + reader.signed()) & 255 }
      if next != 0 { last = next }
    }
  }

  private static func skipOrderCount(_ reader: inout H264BitReader) {
    switch reader.unsigned(upTo: 2) {
    case 0: _ = reader.unsigned(upTo: 12)  // log2_max_pic_order_cnt_lsb_minus4
    case 1:
      _ = reader.bit()
      _ = reader.signed()
      _ = reader.signed()
      for _ in 0..<reader.unsigned(upTo: 255) where !reader.failed { _ = reader.signed() }
    default: break
    }
  }
}
