import CamrigModel
import Testing

@Suite("Sizes, rates and formats of pictures")
struct PictureFormatTests {
  @Test("a size is read as it is written")
  func size() {
    #expect(PixelSize("1920x1080") == PixelSize(width: 1920, height: 1080))
    #expect(PixelSize(width: 640, height: 480).description == "640x480")
  }

  @Test(
    "what is no size is refused",
    arguments: [
      "", "x", "640", "640x", "x480", "0x480", "640x0", "-1x5", "640x480x1", "65536x1", "640X480", " 640x480",
    ])
  func noSize(_ text: String) {
    #expect(PixelSize(text) == nil)
  }

  @Test("sizes are ordered by their area")
  func sizeOrder() {
    let sizes = ["1920x1080", "640x480", "480x640"].compactMap { PixelSize($0) }
    #expect(sizes.sorted().map(\.description) == ["480x640", "640x480", "1920x1080"])
  }

  @Test(
    "a rate is an exact fraction in its lowest terms",
    arguments: [
      ("30", "30"), ("30/1", "30"), ("30000/1001", "30000/1001"), ("60/2", "30"), ("7.5", "15/2"),
      ("29.97", "2997/100"), ("0.5", "1/2"), ("1000", "1000"),
    ])
  func rate(_ text: String, _ written: String) {
    #expect(FrameRate(text)?.description == written)
  }

  @Test(
    "what is no rate is refused",
    arguments: [
      "", "0", "0/1", "1/0", "-30", "30/-1", "30/1/1", "1001", "1001/1", "30.", ".", "30.12345", "1e3", "nan",
    ])
  func noRate(_ text: String) {
    #expect(FrameRate(text) == nil)
  }

  @Test("rates compare by value, and know the time of a frame")
  func rateValue() {
    #expect(FrameRate(30000, 1001) < FrameRate(30))
    #expect(FrameRate(60, 2) == FrameRate(30))
    #expect(FrameRate(30).frameTime == .nanoseconds(33_333_333))
    #expect(FrameRate(1, 2).frameTime == .seconds(2))
    // Whatever a driver claims.
    #expect(FrameRate(1, 4_294_967_295) < FrameRate(4_294_967_295, 4_294_967_291))
  }

  @Test("a raw picture's bytes follow from its lines")
  func rawBytes() {
    let size = PixelSize(width: 640, height: 481)
    #expect(PixelFormat.yuyv.rawByteCount(size: size, bytesPerLine: 1280) == 1280 * 481)
    #expect(PixelFormat.nv12.rawByteCount(size: size, bytesPerLine: 640) == 640 * 481 + 640 * 241)
    #expect(PixelFormat.mjpeg.rawByteCount(size: size, bytesPerLine: 0) == 0)
    #expect(VideoFormat(.yuyv, size, rate: nil).bytesPerLine == 1280)
  }

  @Test("in JSON a format is this text")
  func json() throws {
    let format = VideoFormat(.mjpeg, PixelSize(width: 1280, height: 720), rate: FrameRate(30000, 1001))
    let text = #"{"bytesPerLine":0,"pixelFormat":"MJPG","rate":"30000/1001","size":"1280x720"}"#
    #expect(try JSONValue(encoding: format).text == text)
    #expect(try JSONValue(json: text).decode(VideoFormat.self) == format)
    #expect(format.description == "MJPG 1280x720 at 30000/1001")
  }

  @Test("in JSON a malformed size or rate is an error that says what is meant")
  func badJSON() throws {
    let request = RPCRequest(id: .number(1), method: "camera.set", params: ["size": "big"])
    #expect(throws: RPCError(.paramsInvalid, "camera.set: size: \"big\" is no size such as 1280x720")) {
      try request.parameters(FormatWish.self)
    }
  }
}
