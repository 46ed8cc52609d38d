import CamrigModel
import Capture
import Codec
import Testing

@Suite("A raw picture's length")
struct RawPictureInspectorTests {
  private let format = VideoFormat(.yuyv, PixelSize(width: 640, height: 480), rate: nil)

  private func verdict(_ count: Int, _ format: VideoFormat) -> PictureVerdict {
    [UInt8](repeating: 0, count: count).withUnsafeBytes { RawPictureInspector().inspect($0, format: format) }
  }

  @Test("shorter ones are broken", arguments: [0, 962, 614_398, 614_399])
  func dropsShort(_ count: Int) {
    #expect(verdict(count, format) == .broken(reason: "\(count) of 614400 bytes"))
  }

  @Test("of longer ones the surplus is cut off", arguments: [614_400, 614_400 + 2560, 1 << 20])
  func trimsLong(_ count: Int) {
    #expect(verdict(count, format) == .good(GoodPicture(range: 0..<614_400, size: format.size)))
  }

  @Test("lines longer than their pixels count")
  func honoursLines() {
    let wide = VideoFormat(.yuyv, PixelSize(width: 640, height: 480), rate: nil, bytesPerLine: 1344)
    #expect(verdict(614_400, wide) == .broken(reason: "614400 of 645120 bytes"))
    #expect(verdict(645_120, wide) == .good(GoodPicture(range: 0..<645_120, size: format.size)))
  }
}

@Suite("What is copied of a picture")
struct GoodPictureTests {
  private func copy(_ bytes: [UInt8], _ picture: GoodPicture) -> [UInt8] {
    var copy = [UInt8](repeating: 0xee, count: picture.byteCount)
    bytes.withUnsafeBytes { source in copy.withUnsafeMutableBytes { picture.copy(source, into: $0) } }
    return copy
  }

  @Test("its range, without what stands around it")
  func copiesRange() {
    #expect(copy([1, 2, 3, 4, 5], GoodPicture(range: 1..<4, size: PixelSize(width: 8, height: 8))) == [2, 3, 4])
  }

  @Test(
    "with what is missing put in", arguments: [(0, [9, 8, 1, 2, 3]), (1, [1, 9, 8, 2, 3]), (2, [1, 2, 9, 8, 3])])
  func inserts(_ at: Int, _ expected: [UInt8]) {
    let picture = GoodPicture(
      range: 0..<3, insertion: .init(at: at, bytes: [9, 8]), size: PixelSize(width: 8, height: 8))
    #expect(copy([1, 2, 3, 4], picture) == expected)
  }
}
