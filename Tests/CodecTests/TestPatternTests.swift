import CTurboJPEG
import CamrigModel
import Codec
import TestSupport
import Testing

@Suite("The test pattern")
struct TestPatternTests {
  static let counters: [UInt32] = [0, 1, 0x8000_0000, 0xaaaa_5555, 0xffff_ffff, 90]
  static let raw: [PixelFormat] = [.yuyv, .uyvy, .nv12, .yu12, .grey]

  @Test("the counter is read back from every raw format and size", arguments: raw, ["640x480", "160x120", "322x242"])
  func rawCounter(pixelFormat: PixelFormat, text: String) throws {
    let size = try #require(PixelSize(text))
    let least = pixelFormat.leastBytesPerLine(width: size.width)
    for bytesPerLine in [least, least + 32] {
      let format = VideoFormat(pixelFormat, size, rate: nil, bytesPerLine: bytesPerLine)
      let renderer = try TestPatternRenderer(format: format)
      for counter in Self.counters {
        let bytes = try renderer.bytes(counter)
        #expect(bytes.count == pixelFormat.rawByteCount(size: size, bytesPerLine: bytesPerLine))
        #expect(readCounter(bytes, format) == counter)
      }
    }
  }

  @Test(
    "the counter is read back from JPEG, which is whole and of the right sampling",
    arguments: JPEGSettings.Sampling.allCases, [10, 85])
  func jpegCounter(sampling: JPEGSettings.Sampling, quality: Int) throws {
    let size = PixelSize(width: 640, height: 480)
    let renderer = try TestPatternRenderer(
      format: VideoFormat(.mjpeg, size, rate: nil), jpeg: JPEGSettings(quality: quality, sampling: sampling))
    for counter in Self.counters {
      let bytes = try renderer.bytes(counter)
      guard case .good(let layout) = TestJPEG.check(bytes, expecting: size) else {
        Issue.record("a test pattern is a whole picture")
        return
      }
      #expect(layout.byteCount == bytes.count)
      let (luma, subsampling) = decodeLuma(bytes, size)
      #expect(subsampling == (sampling == .yuv420 ? TJSAMP_420 : TJSAMP_422).rawValue)
      #expect(luma.withUnsafeBytes { TestPattern.readCounter(fromLuma: $0, bytesPerLine: 640, width: 640) } == counter)
    }
  }

  @Test("what is drawn piece by piece is what would be drawn anew", arguments: raw)
  func incremental(pixelFormat: PixelFormat) throws {
    let format = VideoFormat(pixelFormat, PixelSize(width: 320, height: 240), rate: nil)
    let renderer = try TestPatternRenderer(format: format)
    for counter in [3, 700, 41, 99_999, 8] as [UInt32] {
      let time = noon + Int64(counter) * 33_366_700
      let piecewise = try renderer.bytes(counter, time)
      #expect(try piecewise == TestPatternRenderer(format: format).bytes(counter, time))
    }
  }

  @Test("each picture differs from the one before in its counter, its time and its moving box")
  func changes() throws {
    let format = VideoFormat(.grey, PixelSize(width: 320, height: 240), rate: nil)
    let renderer = try TestPatternRenderer(format: format)
    let first = try renderer.bytes(1)
    let second = try renderer.bytes(2, noon + 33_000_000)
    let lines = (0..<240).filter { first[($0 * 320)..<($0 * 320 + 320)] != second[($0 * 320)..<($0 * 320 + 320)] }
    #expect(lines.contains { $0 < 8 })
    #expect(lines.contains { (100..<140).contains($0) })
    #expect(lines.contains { (180..<200).contains($0) })
  }

  @Test("a picture without a counter is not misread")
  func noCounter() {
    let grey = [UInt8](repeating: 128, count: 640 * 480)
    #expect(grey.withUnsafeBytes { TestPattern.readCounter(fromLuma: $0, bytesPerLine: 640, width: 640) } == nil)
    #expect(
      grey.withUnsafeBytes {
        TestPattern.readCounter(fromLuma: UnsafeRawBufferPointer(rebasing: $0[0..<100]), bytesPerLine: 640, width: 640)
      } == nil)
  }

  @Test("another program decodes the JPEG without complaint and sees the counter")
  func ffmpegDecodes() throws {
    let size = PixelSize(width: 640, height: 480)
    let directory = TemporaryDirectory()
    let renderer = try TestPatternRenderer(format: VideoFormat(.mjpeg, size, rate: nil))
    FileBytes.write(try renderer.bytes(4711), to: directory.path + "/p.jpg")
    let result = Program.run(
      "ffmpeg",
      [
        "-v", "warning", "-xerror", "-err_detect", "explode", "-i", directory.path + "/p.jpg", "-f", "rawvideo",
        "-pix_fmt", "gray", directory.path + "/p.raw",
      ])
    #expect(result.status == 0)
    let luma = FileBytes.read(directory.path + "/p.raw")
    #expect(luma.withUnsafeBytes { TestPattern.readCounter(fromLuma: $0, bytesPerLine: 640, width: 640) } == 4711)
  }

  @Test(
    "sizes and formats that cannot be are refused with the cure", arguments: ["33x480", "640x481", "64x48", "9000x480"])
  func refusals(text: String) throws {
    let size = try #require(PixelSize(text))
    #expect(throws: CodecError.testPatternSize(size)) {
      try TestPatternRenderer(format: VideoFormat(.yuyv, size, rate: nil))
    }
    #expect(throws: CodecError.testPatternFormat(.h264)) {
      try TestPatternRenderer(format: VideoFormat(.h264, PixelSize(width: 640, height: 480), rate: nil))
    }
    #expect(
      "\(CodecError.testPatternSize(size))"
        == "a test pattern cannot be \(text). Choose even numbers from 160x120 to 8192x8192.")
  }
}

private let noon = WallTime(rfc3339: "2026-11-30T12:00:00Z")!

private func + (time: WallTime, nanoseconds: Int64) -> WallTime {
  WallTime(nanoseconds: time.nanoseconds + nanoseconds)
}

extension TestPatternRenderer {
  fileprivate func bytes(_ counter: UInt32, _ time: WallTime = noon) throws -> [UInt8] {
    try render(counter: counter, time: time) { Array($0) }
  }
}

private func readCounter(_ bytes: [UInt8], _ format: VideoFormat) -> UInt32? {
  let packed = format.pixelFormat == .yuyv || format.pixelFormat == .uyvy
  return bytes[(format.pixelFormat == .uyvy ? 1 : 0)...].withUnsafeBytes {
    TestPattern.readCounter(
      fromLuma: $0, bytesPerLine: format.bytesPerLine, width: format.size.width, bytesPerPixel: packed ? 2 : 1)
  }
}

private func decodeLuma(_ jpeg: [UInt8], _ size: PixelSize) -> (luma: [UInt8], sampling: UInt32) {
  let handle = tjInitDecompress()
  defer { tjDestroy(handle) }
  var luma = [UInt8](repeating: 0, count: size.area)
  var width: Int32 = 0
  var height: Int32 = 0
  var sampling: Int32 = 0
  var space: Int32 = 0
  tjDecompressHeader3(handle, jpeg, UInt(jpeg.count), &width, &height, &sampling, &space)
  tjDecompress2(
    handle, jpeg, UInt(jpeg.count), &luma, Int32(size.width), 0, Int32(size.height), Int32(TJPF_GRAY.rawValue), 0)
  return (luma, UInt32(sampling))
}
