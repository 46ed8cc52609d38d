import CamrigModel
import Capture
import Testing

@Suite("The choice of a format")
struct FormatPolicyTests {
  private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

  private func mode(_ width: Int, _ height: Int, _ rates: Int...) -> SizeDescription {
    SizeDescription(size: size(width, height), rates: rates.map { FrameRate($0) })
  }

  private func device(_ formats: [(PixelFormat?, [SizeDescription])]) -> DeviceDescription {
    DeviceDescription(
      driver: "uvcvideo", card: "Cam", bus: "usb-1", node: "/dev/video0",
      formats: formats.map {
        FormatDescription(fourcc: $0.0?.rawValue ?? "RELI", label: "", pixelFormat: $0.0, sizes: $0.1)
      })
  }

  private func choice(_ device: DeviceDescription, _ wish: FormatWish = FormatWish()) -> String? {
    FormatPolicy(device).choice(for: wish)?.description
  }

  private var webcam: DeviceDescription {
    device([
      (.yuyv, [mode(1920, 1080, 5), mode(1280, 720, 10), mode(640, 480, 30)]),
      (.mjpeg, [mode(3840, 2160, 30), mode(1920, 1080, 60, 30), mode(1280, 720, 60, 30), mode(640, 480, 30, 15)]),
    ])
  }

  @Test("by itself it is 1920x1080 at 30, compressed")
  func takesTarget() { #expect(choice(webcam) == "MJPG 1920x1080 at 30") }

  @Test("another target is aimed at where the administrator has one")
  func takesOtherTarget() {
    let target = FormatTarget(size: size(1280, 800), rate: FrameRate(60))
    let policy = FormatPolicy(webcam, target: target)
    #expect(policy.choice(for: FormatWish())?.description == "MJPG 1280x720 at 60")
    #expect(policy.choice(for: FormatWish(rate: FrameRate(15)))?.description == "MJPG 1280x720 at 30")
  }

  @Test("the compressed format is taken where the raw one, listed first, is too slow")
  func avoidsSlowRaw() {
    let device = device([(.yuyv, [mode(1280, 720, 10)]), (.mjpeg, [mode(1280, 720, 30)])])
    #expect(choice(device) == "MJPG 1280x720 at 30")
    #expect(choice(device, FormatWish(size: size(1280, 720))) == "MJPG 1280x720 at 30")
  }

  @Test("a smooth small picture is better than a large one at five a second")
  func prefersMotion() {
    let device = device([(.yuyv, [mode(1920, 1080, 5), mode(1280, 720, 10), mode(640, 480, 30)])])
    #expect(choice(device) == "YUYV 640x480 at 30")
  }

  @Test("where all are slow, the fastest is taken, and of these the largest")
  func takesFastest() {
    #expect(
      choice(device([(.yuyv, [mode(1920, 1080, 5), mode(1280, 720, 10), mode(640, 480, 10)])]))
        == "YUYV 1280x720 at 10")
  }

  @Test("where all are larger than 1920x1080, the smallest is taken")
  func takesSmallest() {
    #expect(choice(device([(.mjpeg, [mode(3840, 2160, 30), mode(2560, 1440, 30)])])) == "MJPG 2560x1440 at 30")
  }

  @Test(
    "what the user wishes comes first",
    arguments: [
      ("YUYV", nil, nil, "YUYV 640x480 at 30"), (nil, "1280x720", nil, "MJPG 1280x720 at 30"),
      (nil, "1920x1080", "60", "MJPG 1920x1080 at 60"), ("YUYV", "1280x720", nil, "YUYV 1280x720 at 10"),
      (nil, nil, "60", "MJPG 1920x1080 at 60"), (nil, "640x480", "15", "MJPG 640x480 at 15"),
      (nil, "3840x2160", nil, "MJPG 3840x2160 at 30"), (nil, "1920x1080", "5", "YUYV 1920x1080 at 5"),
    ] as [(String?, String?, String?, String)])
  func obeysWish(_ format: String?, _ size: String?, _ rate: String?, _ expected: String) {
    let wish = FormatWish(
      pixelFormat: format.flatMap(PixelFormat.init), size: size.flatMap { PixelSize($0) },
      rate: rate.flatMap { FrameRate($0) })
    #expect(choice(webcam, wish) == expected)
  }

  @Test("for a size that is not offered it is the next lower one, of the same shape if there is one")
  func takesNearest() {
    #expect(choice(webcam, FormatWish(size: size(1600, 900))) == "MJPG 1280x720 at 30")
    #expect(choice(webcam, FormatWish(size: size(1280, 1024))) == "MJPG 1280x720 at 30")
    #expect(choice(webcam, FormatWish(size: size(800, 600))) == "MJPG 640x480 at 30")
    #expect(choice(webcam, FormatWish(size: size(320, 240))) == "MJPG 640x480 at 30")
  }

  @Test("for a rate that is not offered it is the next lower one, else the slowest")
  func takesNearestRate() {
    let device = device([(.mjpeg, [mode(1280, 720, 60, 25, 15)])])
    #expect(choice(device, FormatWish(rate: FrameRate(50))) == "MJPG 1280x720 at 25")
    #expect(choice(device, FormatWish(rate: FrameRate(5))) == "MJPG 1280x720 at 15")
  }

  @Test("a format that is not offered does not keep the camera from working")
  func ignoresAbsentFormat() {
    #expect(choice(webcam, FormatWish(pixelFormat: .h264)) == "MJPG 1920x1080 at 30")
  }

  @Test("29.97 and 30.0003 count as 30")
  func toleratesFractions() {
    let ntsc = SizeDescription(size: size(1280, 720), rates: [FrameRate(30000, 1001), FrameRate(15)])
    #expect(choice(device([(.mjpeg, [ntsc])])) == "MJPG 1280x720 at 30000/1001")
    let odd = SizeDescription(size: size(1280, 720), rates: [FrameRate(10_000_000, 333_330), FrameRate(15)])
    #expect(choice(device([(.mjpeg, [odd])])) == "MJPG 1280x720 at 1000000/33333")
  }

  @Test("a camera without a list of rates is asked for what is wanted")
  func asksWithoutRates() {
    #expect(choice(device([(.yuyv, [mode(640, 480)])])) == "YUYV 640x480 at 30")
  }

  @Test("a camera with formats that nobody knows gives no choice")
  func refusesUnknown() { #expect(choice(device([(nil, [])])) == nil) }

  private var range: SizeDescription {
    SizeDescription(
      size: size(2592, 1944), smallest: size(32, 32), step: size(2, 2), rates: [FrameRate(60), FrameRate(1)],
      ratesAreRange: true)
  }

  @Test("of a range of sizes and rates any that meets the step can be had")
  func choosesFromRange() {
    let device = device([(.yuyv, [range])])
    #expect(choice(device) == "YUYV 1920x1080 at 30")
    #expect(choice(device, FormatWish(size: size(1234, 566), rate: FrameRate(17))) == "YUYV 1234x566 at 17")
    #expect(choice(device, FormatWish(size: size(1281, 721))) == "YUYV 1280x720 at 30")
    #expect(choice(device, FormatWish(rate: FrameRate(120))) == "YUYV 1920x1080 at 60")
  }

  @Test("the sizes that are shown of a range meet its step")
  func usualSizes() {
    #expect(range.usualSizes.contains(size(1280, 720)))
    #expect(range.usualSizes.first == size(2592, 1944))
    #expect(range.usualSizes.last == size(32, 32))
    let coarse = SizeDescription(
      size: size(720, 576), smallest: size(360, 288), step: size(360, 288), rates: [])
    #expect(coarse.usualSizes == [size(720, 576), size(360, 288)])
    #expect(coarse.contains(size(720, 288)))
    #expect(!coarse.contains(size(640, 480)))
  }

  @Test("what the user leaves open is aimed at the administrator's size and rate")
  func target() {
    let target = FormatTarget(size: PixelSize(width: 1280, height: 720), rate: FrameRate(60))
    let choice = FormatPolicy(webcam, target: target).choice(for: FormatWish())
    #expect(choice?.size == PixelSize(width: 1280, height: 720))
    #expect(choice?.rate == FrameRate(60))
  }

  @Test("each step down the ladder takes less of the bus, and the ladder ends")
  func stepsDown() throws {
    let policy = FormatPolicy(webcam)
    var last = try #require(policy.choice(for: FormatWish(pixelFormat: .yuyv, size: size(1920, 1080))))
    var ladder = [last]
    while let next = policy.smaller(than: last, excluding: Set(ladder)) {
      ladder.append(next)
      last = next
    }
    #expect(ladder.count > 2)
    #expect(ladder.count < 12)
    #expect(Set(ladder).count == ladder.count)
  }

  @Test("without room on the bus the shape is kept, and the rate goes before the size")
  func keepsShape() throws {
    let policy = FormatPolicy(webcam)
    let first = try #require(policy.choice(for: FormatWish()))
    #expect(policy.smaller(than: first, excluding: [first])?.description == "MJPG 1280x720 at 30")
    let fast = try #require(policy.choice(for: FormatWish(rate: FrameRate(60))))
    #expect(policy.smaller(than: fast, excluding: [fast])?.description == "MJPG 1920x1080 at 30")
  }

  @Test("a format that does not start is followed by another one of about the size")
  func triesOther() throws {
    let device = device([(.yuyv, [mode(1280, 720, 10)]), (.mjpeg, [mode(1280, 720, 30), mode(640, 480, 30)])])
    let policy = FormatPolicy(device)
    let first = try #require(policy.choice(for: FormatWish()))
    let second = try #require(policy.other(than: first, excluding: [first]))
    #expect(second.description == "YUYV 1280x720 at 10")
    let third = try #require(policy.other(than: second, excluding: [first, second]))
    #expect(third.description == "MJPG 640x480 at 30")
    #expect(policy.other(than: third, excluding: [first, second, third]) == nil)
  }

  @Test("what differs from the wish is said, and only that")
  func saysDifference() {
    let granted = VideoFormat(.mjpeg, size(640, 480), rate: FrameRate(30000, 1001))
    #expect(
      FormatPolicy.difference(asked: FormatWish(size: size(640, 480), rate: FrameRate(30)), granted: granted) == nil)
    #expect(FormatPolicy.difference(asked: FormatWish(), granted: granted) == nil)
    #expect(
      FormatPolicy.difference(
        asked: FormatWish(pixelFormat: .mjpeg, size: size(1280, 720), rate: FrameRate(30)), granted: granted)
        == "asked MJPG 1280x720 at 30, got MJPG 640x480 at 30000/1001")
  }
}
