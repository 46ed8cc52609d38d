import CamrigModel
import Codec
import Frames
import Testing

@Suite("The largest H.264 pictures", .timeLimit(.minutes(5)))
struct H264SizeLimitTests {
  @Test("those of level 5.2 are shown; what a damaged header asks for beyond is refused before it takes memory")
  func limit() throws {
    #expect(try shown(PixelSize(width: 4096, height: 2304)))
    #expect(throws: CodecError.self) { try shown(PixelSize(width: 4096, height: 2320)) }
  }

  private func shown(_ size: PixelSize) throws -> Bool {
    let unit = try #require(H264Stream(size: "\(size)", frames: 1, parameters: "keyint=1").units.first)
    let renderer = PreviewRenderer()
    try renderer.take(FrameTap.Pictures(PreviewFrames.frame(unit, .h264, size)))
    return try renderer.render(PixelSize(width: 64, height: 36), quality: 50) != nil
  }
}
