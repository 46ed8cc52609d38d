import CamrigModel
import Testing

@Suite("How a picture is seen")
struct PictureSettingTests {
  private func applied(_ choices: PictureChoice...) throws(PictureSettingError) -> PictureSetting {
    var setting = PictureSetting()
    for choice in choices { try setting.apply(choice) }
    return setting
  }

  @Test(
    "a part of the picture is chosen with a zoom, or of one that is there; of the whole it is an error that says what to do"
  )
  func middle() throws {
    #expect(try applied(PictureChoice(zoom: 2, x: 0.25, y: 1)).choice == PictureChoice(zoom: 2, x: 0.25, y: 1))
    #expect(try applied(PictureChoice(zoom: 2), PictureChoice(x: 0.25)).choice == PictureChoice(zoom: 2, x: 0.25))
    for choice in [PictureChoice(x: 0.25), PictureChoice(y: 0.25), PictureChoice(mirror: true, x: 0.5)] {
      #expect(throws: PictureSettingError.nothingCut) { try applied(choice) }
    }
    #expect(PictureSettingError.nothingCut.description.contains("camrigctl picture CAMERA --zoom 2 --at"))
  }

  @Test("a refused choice changes nothing")
  func refused() {
    var setting = PictureSetting()
    #expect(throws: PictureSettingError.nothingCut) {
      try setting.apply(PictureChoice(mirror: true, rotate: 90, x: 0.1))
    }
    #expect(setting == PictureSetting())
    #expect(throws: PictureSettingError.middle("x", 2)) { try setting.apply(PictureChoice(rotate: 90, zoom: 2, x: 2)) }
    #expect(setting == PictureSetting())
  }

  @Test(
    "a zoom of 1 leads back to the whole, whatever middle is said with it; what was kept without a zoom counts as the whole"
  )
  func whole() throws {
    #expect(try applied(PictureChoice(zoom: 4, x: 0.1, y: 0.1), PictureChoice(zoom: 1, x: 0.1, y: 0.5)).choice == nil)
    #expect(PictureSetting(kept: PictureChoice(mirror: true, x: 0.2, y: 0.3)).choice == PictureChoice(mirror: true))
  }
}
