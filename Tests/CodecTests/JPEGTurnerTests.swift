import CLinux
import CTurboJPEG
import CamrigModel
import Codec
import Frames
import Testing

@Suite("Turned JPEGs")
struct JPEGTurnerTests {
  /// Whole MCUs in any sampling, lying or standing.
  private static let whole = PixelSize(width: 128, height: 96)
  private static let samplings = [TJSAMP_420, TJSAMP_422, TJSAMP_444, TJSAMP_440, TJSAMP_411, TJSAMP_GRAY]
    .map(\.rawValue)

  private func make(_ size: PixelSize, _ sampling: UInt32) -> [UInt8] {
    TestJPEG.make(size, sampling: TJSAMP(rawValue: sampling))
  }

  private func turned(_ jpeg: [UInt8], _ setting: PictureSetting) throws -> [UInt8] {
    try JPEGPictures.turned(jpeg, setting)
  }

  @Test("mirrored twice, a picture has the coefficients that it had; once, it has others", arguments: samplings)
  func involution(sampling: UInt32) throws {
    let jpeg = make(Self.whole, sampling)
    let before = JPEGPictures.coefficients(jpeg)
    #expect(before.values.count == (sampling == TJSAMP_GRAY.rawValue ? 1 : 3))
    for setting in [PictureSetting(.none, mirror: true), PictureSetting(.half), PictureSetting(.half, mirror: true)] {
      let once = try turned(jpeg, setting)
      #expect(JPEGPictures.coefficients(once) != before)
      #expect(JPEGPictures.coefficients(try turned(once, setting)) == before)
    }
  }

  @Test("rotated four times by a quarter, it is what it was", arguments: samplings)
  func fullCircle(sampling: UInt32) throws {
    guard sampling != TJSAMP_411.rawValue else { return }
    let jpeg = make(Self.whole, sampling)
    for rotation in [PictureSetting.Rotation.quarter, .threeQuarters] {
      var round = jpeg
      for _ in 0..<4 { round = try turned(round, PictureSetting(rotation)) }
      #expect(JPEGPictures.coefficients(round) == JPEGPictures.coefficients(jpeg))
    }
  }

  @Test("each plane is that of the picture before, turned, within 1", arguments: samplings)
  func planes(sampling: UInt32) throws {
    let jpeg = make(Self.whole, sampling)
    let before = JPEGPictures.planes(jpeg)
    for setting in PictureSetting.turns where !setting.isIdentity {
      if sampling == TJSAMP_411.rawValue, setting.rotation.swapsAxes { continue }
      let after = JPEGPictures.planes(try turned(jpeg, setting))
      #expect(after.planes.count == before.planes.count)
      for (one, other) in zip(before.planes, after.planes) {
        #expect(one.turned(setting).difference(other) <= 1, "\(setting)")
        #expect(one.difference(other) > 1, "the picture looks different when it is turned")
      }
    }
  }

  /// 3.7 MB of coefficients and as much again turned, which would be 1800 pages.
  @Test("one picture after the other is turned in the memory that is there")
  func keepsMemory() throws {
    let size = PixelSize(width: 1280, height: 720)
    let frame = JPEGPictures.frame(make(size, TJSAMP_422.rawValue), size)
    let turner = try #require(try pictureTurner(PictureSetting(.quarter), .mjpeg))
    // Other tests use the same memory meanwhile: the best of them counts.
    let pages = try (0..<10).map { _ in
      let before = cl_new_pages()
      _ = try turner.turn(frame)
      return cl_new_pages() - before
    }
    #expect(try #require(pages.min()) < 200, "\(pages)")
  }

  @Test("4:1:1 is not turned by a quarter, and says why and what helps")
  func sampledInFours() throws {
    let frame = JPEGPictures.frame(make(Self.whole, TJSAMP_411.rawValue), Self.whole)
    let turner = try #require(try pictureTurner(PictureSetting(.quarter), .mjpeg))
    #expect(throws: TurnRefusal.sampledInFours) { try turner.format(of: frame) }
  }

  @Test(
    "an edge that is no whole MCU is cut off where it would come to lie at the left or top, and nowhere else",
    arguments: [
      // 4:2:0: 16x16; 100 = 96 + 4, 60 = 48 + 12.
      (TJSAMP_420.rawValue, 0, true, "96x60"), (TJSAMP_420.rawValue, 180, false, "96x48"),
      (TJSAMP_420.rawValue, 180, true, "100x48"), (TJSAMP_420.rawValue, 90, false, "48x100"),
      (TJSAMP_420.rawValue, 90, true, "60x100"), (TJSAMP_420.rawValue, 270, false, "60x96"),
      (TJSAMP_420.rawValue, 270, true, "48x96"),
      // 4:2:2: 16x8; 60 = 56 + 4.
      (TJSAMP_422.rawValue, 0, true, "96x60"), (TJSAMP_422.rawValue, 180, false, "96x56"),
      (TJSAMP_422.rawValue, 90, false, "56x100"), (TJSAMP_422.rawValue, 270, false, "60x96"),
      // 4:4:4 and grey: 8x8; 4:1:1: 32x8.
      (TJSAMP_444.rawValue, 180, false, "96x56"), (TJSAMP_GRAY.rawValue, 180, false, "96x56"),
      (TJSAMP_411.rawValue, 0, true, "96x60"),
    ])
  func edges(sampling: UInt32, degrees: Int, mirror: Bool, size: String) throws {
    let source = PixelSize(width: 100, height: 60)
    let jpeg = make(source, sampling)
    let setting = PictureSetting(PictureSetting.Rotation(rawValue: degrees)!, mirror: mirror)
    let after = JPEGPictures.planes(try turned(jpeg, setting))
    #expect(after.size == PixelSize(size))
    // What is left is the camera's picture from its left top corner on.
    let kept = setting.rotation.swapsAxes ? PixelSize(width: after.size.height, height: after.size.width) : after.size
    let luma = JPEGPictures.planes(jpeg).planes[0].cropped(0..<kept.width, 0..<kept.height)
    #expect(luma.turned(setting).difference(after.planes[0]) <= 1)
  }

  @Test("of 1080 lines, 4:2:2 keeps all and 4:2:0 loses eight when they are turned round")
  func fullHD() {
    let source = PixelSize(width: 1920, height: 1080)
    let half = PictureSetting(.half)
    #expect(
      PictureGeometry(half, source: source, unit: PixelSize(width: 16, height: 8))?.size.description == "1920x1080")
    #expect(
      PictureGeometry(half, source: source, unit: PixelSize(width: 16, height: 16))?.size.description == "1920x1072")
  }

  @Test("a part begins and ends at whole MCUs and is the same picture, whatever way it is seen", arguments: samplings)
  func parts(sampling: UInt32) throws {
    let source = PixelSize(width: 200, height: 136)
    let jpeg = make(source, sampling)
    for turn in PictureSetting.turns {
      if sampling == TJSAMP_411.rawValue, turn.rotation.swapsAxes { continue }
      let whole = turn.isIdentity ? jpeg : try turned(jpeg, turn)
      let seen = JPEGPictures.planes(whole)
      for (x, y) in [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.3, 0.8)] {
        var setting = turn
        (setting.zoom, setting.x, setting.y) = (2, x, y)
        let part = JPEGPictures.planes(try turned(jpeg, setting))
        #expect(part.size.width % 8 == 0 && part.size.height % 8 == 0)
        #expect(abs(part.size.width - seen.size.width / 2) <= 16 && abs(part.size.height - seen.size.height / 2) <= 16)
        let found = stride(from: 0, through: seen.size.width - part.size.width, by: 8).contains { left in
          stride(from: 0, through: seen.size.height - part.size.height, by: 8).contains { top in
            seen.planes[0].cropped(left..<(left + part.size.width), top..<(top + part.size.height)) == part.planes[0]
          }
        }
        #expect(found, "\(setting) of \(sampling)")
      }
    }
  }

  @Test("the part lies where it was asked for")
  func middle() throws {
    let unit = PixelSize(width: 16, height: 16)
    func geometry(_ setting: PictureSetting) -> PictureGeometry? {
      PictureGeometry(setting, source: PixelSize(width: 640, height: 480), unit: unit)
    }
    let corner = try #require(geometry(PictureSetting(.none, zoom: 4, x: 0, y: 0)))
    #expect(corner.columns == 0..<160 && corner.rows == 0..<128)
    let end = try #require(geometry(PictureSetting(.none, zoom: 4, x: 1, y: 1)))
    #expect(end.columns == 480..<640 && end.rows.upperBound == 480)
    // Left of what is seen is the camera's right when it is mirrored, its bottom when it is turned by 90°.
    let mirrored = try #require(geometry(PictureSetting(.none, mirror: true, zoom: 4, x: 0, y: 0)))
    #expect(mirrored.columns == 480..<640 && mirrored.rows.lowerBound == 0)
    let turned = try #require(geometry(PictureSetting(.quarter, zoom: 4, x: 0, y: 0)))
    #expect(turned.columns == 0..<160 && turned.rows.upperBound == 480)
  }

  @Test("a picture without Huffman tables of its own, once they are put in, comes out with all of them")
  func huffmanTables() throws {
    let jpeg = TestJPEG.make(Self.whole, sampling: TJSAMP_422)
    let bare = TestJPEG.without([0xc4], jpeg)
    guard case .good(let layout) = TestJPEG.check(bare, expecting: Self.whole) else {
      Issue.record("a picture without tables is whole")
      return
    }
    #expect(layout.huffmanTablesMissing)
    var stored = [UInt8](repeating: 0, count: layout.storedByteCount)
    bare.withUnsafeBytes { source in stored.withUnsafeMutableBytes { layout.copy(source, into: $0) } }
    let after = try turned(stored, PictureSetting(.none, mirror: true))
    #expect(
      JPEGPictures.coefficients(after)
        == JPEGPictures.coefficients(try turned(jpeg, PictureSetting(.none, mirror: true))))
    guard case .good(let turnedLayout) = TestJPEG.check(after, expecting: Self.whole) else {
      Issue.record("a turned picture is whole")
      return
    }
    #expect(!turnedLayout.huffmanTablesMissing)
  }

  @Test("a picture whose data are damaged is turned with its damage; bytes that are none are refused")
  func damaged() throws {
    let turner = try #require(try pictureTurner(PictureSetting(.half), .mjpeg))
    let jpeg = TestJPEG.make(Self.whole)
    let half = JPEGPictures.frame(Array(jpeg[..<(jpeg.count * 3 / 4)]), Self.whole)
    #expect(try turner.turn(half).size == Self.whole)
    let none = JPEGPictures.frame([1, 2, 3, 4], Self.whole)
    #expect(throws: TurnRefusal.sampling) { try turner.format(of: none) }
    #expect(throws: CodecError.self) { try turner.turn(none) }
    // And it goes on with the next one.
    #expect(try turner.turn(JPEGPictures.frame(jpeg, Self.whole)).size == Self.whole)
  }
}
