import CamrigModel

/// The `stsd` box: what a decoder needs before the first sample.
enum SampleDescription {
  static func write(_ media: TrackMedia, _ container: MovieContainer, to out: inout BoxWriter) {
    out.fullBox("stsd") { out in
      out.u32(1)
      switch media {
      case .mjpeg(let size):
        picture("jpeg", size, named: "Photo - JPEG", &out) { _ in }
      case .h264(let size, let sps, let pps):
        picture("avc1", size, named: "H.264", &out) { $0.box("avcC") { decoderConfiguration(sps, pps, &$0) } }
      case .pcm(let rate, let channels, 24): out.box("in24") { pcm24(rate, channels, &$0) }
      case .pcm(let rate, let channels, _):
        out.box("sowt") { out in
          entryHead(&out)
          out.zeros(8)  // version 0 of QuickTime's sound description
          out.u16(channels)
          out.u16(16)
          out.zeros(4)
          out.u32(rate << 16)
        }
      case .aac(let rate, let channels, let configuration, _):
        out.box("mp4a") { aac(rate, channels, configuration, container, &$0) }
      }
    }
  }

  /// More than 16 bits want version 1 of QuickTime's sound description; `enda` says that they are little-endian.
  private static func pcm24(_ rate: Int, _ channels: Int, _ out: inout BoxWriter) {
    entryHead(&out)
    out.u16(1)
    out.zeros(6)
    out.u16(channels)
    out.u16(16)  // as QuickTime has it there, whatever the samples are
    out.zeros(4)
    out.u32(rate << 16)
    for count in [1, 3, 3 * channels, 2] { out.u32(count) }  // frames a packet, bytes a sample, a frame, a plain sample
    out.box("wave") { out in
      out.box("frma") { $0.type("in24") }
      out.box("enda") { $0.u16(1) }
      out.u32(8)
      out.zeros(4)
    }
  }

  /// QuickTime wants version 1 of its sound description, and what is MPEG's in a `wave` box.
  private static func aac(
    _ rate: Int, _ channels: Int, _ configuration: [UInt8], _ container: MovieContainer, _ out: inout BoxWriter
  ) {
    entryHead(&out)
    out.u16(container == .quickTime ? 1 : 0)
    out.zeros(6)
    out.u16(channels)
    out.u16(16)
    out.u16(container == .quickTime ? 0xfffe : 0)  // compressed, packets of any length
    out.zeros(2)
    out.u32(rate << 16)
    switch container {
    case .mp4: elementaryStream(configuration, &out)
    case .quickTime:
      out.u32(1024)
      out.zeros(8)
      out.u32(2)
      out.box("wave") { out in
        out.box("frma") { $0.type("mp4a") }
        out.box("mp4a") { $0.zeros(4) }
        elementaryStream(configuration, &out)
        out.u32(8)
        out.zeros(4)
      }
    }
  }

  /// ISO/IEC 14496-1, 7.2.6: descriptors within each other, each with its length in a byte.
  private static func elementaryStream(_ configuration: [UInt8], _ out: inout BoxWriter) {
    out.fullBox("esds") { out in
      out.raw([3, UInt8(3 + 2 + 13 + 2 + configuration.count + 3), 0, 0, 0])
      // MPEG-4 audio, an audio stream; buffer and rates of bits are not said.
      out.raw([4, UInt8(13 + 2 + configuration.count), 0x40, 0x15])
      out.zeros(11)
      out.raw([5, UInt8(configuration.count)])
      out.raw(configuration)
      out.raw([6, 1, 2])
    }
  }

  private static func entryHead(_ out: inout BoxWriter) {
    out.zeros(6)
    out.u16(1)  // the first data reference: this file
  }

  private static func picture(
    _ type: BoxType, _ size: PixelSize, named name: StaticString, _ out: inout BoxWriter,
    extensions: (inout BoxWriter) -> Void
  ) {
    out.box(type) { out in
      entryHead(&out)
      out.zeros(16)
      out.u16(size.width)
      out.u16(size.height)
      out.u32(72 << 16)
      out.u32(72 << 16)
      out.zeros(4)
      out.u16(1)  // a sample is one picture
      out.u8(name.utf8CodeUnitCount)
      name.withUTF8Buffer { out.raw($0) }
      out.zeros(31 - name.utf8CodeUnitCount)
      out.u16(24)
      out.u16(0xffff)
      extensions(&out)
    }
  }

  private static func decoderConfiguration(_ sps: [[UInt8]], _ pps: [[UInt8]], _ out: inout BoxWriter) {
    let first = sps[0]
    out.u8(1)
    out.raw(first[1...3])  // profile, constraints, level
    out.u8(0xfc | 3)  // lengths of 4 bytes
    out.u8(0xe0 | sps.count)
    for set in sps {
      out.u16(set.count)
      out.raw(set)
    }
    out.u8(pps.count)
    for set in pps {
      out.u16(set.count)
      out.raw(set)
    }
    if let depth = ChromaAndDepth(sps: first) {
      out.u8(0xfc | depth.chromaFormat)
      out.u8(0xf8 | depth.lumaBitsAbove8)
      out.u8(0xf8 | depth.chromaBitsAbove8)
      out.u8(0)
    }
  }

  /// What `stsd` says, `body` being its content; nil where it is none that we write.
  ///
  /// - Parameter priming: as the track's edits say.
  static func read(_ body: BoxReader, priming: Int) -> TrackMedia? {
    var stsd = body
    guard stsd.versionAndFlags() == 0, stsd.u32() == 1, let (type, entry) = stsd.box() else { return nil }
    switch type {
    case "jpeg": return readPicture(entry).map { .mjpeg($0.size) }
    case "avc1":
      guard let (size, extensions) = readPicture(entry), let avcC = extensions.first("avcC") else { return nil }
      return readDecoderConfiguration(avcC).map { .h264(size, sps: $0.sps, pps: $0.pps) }
    case "sowt":
      var entry = entry
      guard entry.skip(16), let channels = entry.u16(), entry.u16() == 16, entry.skip(4), let rate = entry.u32()
      else { return nil }
      return .pcm(rate: Int(rate >> 16), channels: channels)
    case "in24":
      var entry = entry
      guard entry.skip(8), entry.u16() == 1, entry.skip(6), let channels = entry.u16(), entry.skip(6),
        let rate = entry.u32(), entry.skip(16), var enda = entry.first("wave")?.first("enda"), enda.u16() == 1
      else { return nil }
      return .pcm(rate: Int(rate >> 16), channels: channels, bits: 24)
    case "mp4a":
      var entry = entry
      guard entry.skip(8), let version = entry.u16(), entry.skip(6), let channels = entry.u16(), entry.u16() == 16,
        entry.skip(4), let rate = entry.u32(), version == 0 || entry.skip(16),
        let esds = (version == 0 ? entry : entry.first("wave"))?.first("esds"),
        let configuration = readElementaryStream(esds)
      else { return nil }
      return .aac(rate: Int(rate >> 16), channels: channels, configuration: configuration, priming: priming)
    default: return nil
    }
  }

  private static func readElementaryStream(_ body: BoxReader) -> [UInt8]? {
    var body = body
    guard body.versionAndFlags() == 0, body.u8() == 3, body.skip(4), body.u8() == 4, body.skip(14), body.u8() == 5,
      let count = body.u8(), let configuration = body.raw(count), body.raw(3).map(Array.init) == [6, 1, 2]
    else { return nil }
    return Array(configuration)
  }

  private static func readPicture(_ entry: BoxReader) -> (size: PixelSize, extensions: BoxReader)? {
    var entry = entry
    guard entry.skip(24), let width = entry.u16(), let height = entry.u16(), entry.skip(50) else { return nil }
    return (PixelSize(width: width, height: height), entry)
  }

  private static func readDecoderConfiguration(_ body: BoxReader) -> (sps: [[UInt8]], pps: [[UInt8]])? {
    var body = body
    func sets(_ count: Int) -> [[UInt8]]? {
      var sets: [[UInt8]] = []
      for _ in 0..<count {
        guard let length = body.u16(), let set = body.raw(length) else { return nil }
        sets.append(Array(set))
      }
      return sets
    }
    guard body.u8() == 1, body.skip(3), body.u8() == 0xff, let spsCount = body.u8(), let sps = sets(spsCount & 31),
      let ppsCount = body.u8(), let pps = sets(ppsCount)
    else { return nil }
    return (sps, pps)
  }
}
