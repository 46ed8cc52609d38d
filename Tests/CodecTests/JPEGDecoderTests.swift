import CamrigModel
import Codec
import Testing

@Suite("Decoded JPEG pictures")
struct JPEGDecoderTests {
  let decoder: JPEGDecoder

  init() throws { decoder = try JPEGDecoder() }

  private func decode(
    _ jpeg: [UInt8], _ pixels: DecodedPicture.Pixels = .rgb, within most: PixelSize? = nil
  ) throws(CodecError) -> DecodedPicture {
    let decoder = decoder
    let result = jpeg.withUnsafeBytes { bytes in
      Result { () throws(CodecError) in try decoder.decode(bytes, pixels, within: most) }
    }
    return try result.get()
  }

  @Test(
    "a picture is reduced until it fits, by eighths, and never enlarged",
    arguments: [
      ("640x480", "640x480"), ("5000x5000", "640x480"), ("600x600", "560x420"), ("320x480", "320x240"),
      ("10x10", "80x60"),
    ])
  func sizes(most: String, result: String) throws {
    let picture = try decode(TestJPEG.make(), within: PixelSize(most))
    #expect(picture.size == PixelSize(result))
    #expect(picture.bytes.count == picture.size.area * 3)
    #expect(!picture.isDamaged)
  }

  @Test("the counter of a test pattern is read from the luma")
  func counter() throws {
    let size = PixelSize(width: 640, height: 480)
    let renderer = try TestPatternRenderer(format: VideoFormat(.mjpeg, size, rate: nil))
    let jpeg = try renderer.render(counter: 77, time: WallTime(nanoseconds: 0)) { Array($0) }
    let picture = try decode(jpeg, .luma)
    #expect(
      picture.bytes.withUnsafeBytes { TestPattern.readCounter(fromLuma: $0, bytesPerLine: 640, width: 640) } == 77)
  }

  @Test("a cut picture is decoded and called damaged; bytes that are none are refused")
  func damaged() throws {
    let base = TestJPEG.make()
    #expect(try decode(Array(base[0..<(base.count / 2)])).isDamaged)
    #expect(throws: CodecError.self) { try decode([1, 2, 3]) }
    #expect(throws: CodecError.self) { try decode([]) }
  }
}
