import CamrigModel
import Testing
import V4L2

/// A driver that answers as its closures say.
private struct FakeSource: FormatSource {
  var formats: (Int) -> (fourcc: FourCC, label: String)?
  var sizes: (Int) -> OfferedSize? = { $0 == 0 ? .discrete(PixelSize(width: 640, height: 480)) : nil }
  var rates: (Int) -> OfferedRate? = { $0 == 0 ? .discrete(FrameRate(30)) : nil }

  func format(at index: Int) -> (fourcc: FourCC, label: String)? { formats(index) }
  func size(of fourcc: FourCC, at index: Int) -> OfferedSize? { sizes(index) }
  func rate(of fourcc: FourCC, size: PixelSize, at index: Int) -> OfferedRate? { rates(index) }

  init(_ formats: [FourCC], sizes: [OfferedSize]? = nil, rates: [OfferedRate]? = nil) {
    self.formats = { formats.indices.contains($0) ? (formats[$0], "Format \($0)") : nil }
    if let sizes { self.sizes = { sizes.indices.contains($0) ? sizes[$0] : nil } }
    if let rates { self.rates = { rates.indices.contains($0) ? rates[$0] : nil } }
  }
}

@Suite("What a device offers")
struct FormatListTests {
  private let mjpeg = FourCC(.mjpeg)
  private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

  @Test("a driver that answers every index with the same entry ends")
  func endsEndless() {
    var source = FakeSource([mjpeg])
    source.formats = { _ in (FourCC(.yuyv), "YUYV") }
    source.sizes = { _ in .discrete(PixelSize(width: 320, height: 240)) }
    source.rates = { _ in .discrete(FrameRate(15)) }
    let formats = FormatList.read(source)
    #expect(formats.map(\.fourcc) == ["YUYV"])
    #expect(formats.first?.sizes == [SizeDescription(size: size(320, 240), rates: [FrameRate(15)])])
  }

  @Test("a driver that has something new for every index is heard 256 times")
  func endsInventive() {
    var source = FakeSource([mjpeg])
    source.sizes = { .discrete(PixelSize(width: 16 + $0, height: 16)) }
    #expect(FormatList.read(source).first?.sizes.count == 256)
  }

  @Test("of a range only the first entry is read")
  func readsOneRange() throws {
    let range = OfferedSize.range(smallest: size(32, 32), largest: size(2592, 1944), step: size(2, 2))
    var source = FakeSource([mjpeg])
    source.sizes = { _ in range }
    source.rates = { _ in .range(fastest: FrameRate(60), slowest: FrameRate(1)) }
    let sizes = try #require(FormatList.read(source).first?.sizes)
    #expect(
      sizes == [
        SizeDescription(
          size: size(2592, 1944), smallest: size(32, 32), step: size(2, 2), rates: [FrameRate(60), FrameRate(1)],
          ratesAreRange: true)
      ])
  }

  @Test("entries come once, in order, also those after a double")
  func sortsWithoutDoubles() throws {
    let source = FakeSource(
      [mjpeg, mjpeg, FourCC(.h264)],
      sizes: [(640, 480), (1280, 720), (1280, 720), (320, 240)].map { .discrete(size($0.0, $0.1)) },
      rates: [15, 30, 30, 5].map { .discrete(FrameRate($0)) })
    let formats = FormatList.read(source)
    #expect(formats.map(\.fourcc) == ["MJPG", "H264"])
    #expect(formats.first?.sizes.map(\.size) == [size(1280, 720), size(640, 480), size(320, 240)])
    #expect(formats.first?.sizes.first?.rates == [FrameRate(30), FrameRate(15), FrameRate(5)])
  }

  @Test("formats that nobody knows are listed last, as unsupported, with their code")
  func listsUnknown() {
    let formats = FormatList.read(
      FakeSource([0x494c_4552, 0, 0xffff_ffff, 0xa036_3159, 0x5650_5559].map { FourCC($0) } + [FourCC(.yuyv)]))
    #expect(formats.map(\.pixelFormat) == [.yuyv, nil, nil, nil, nil, nil])
    #expect(formats.map(\.fourcc) == ["YUYV", "RELI", "0x00000000", "0xffffffff", "0xa0363159", "YUPV"])
    #expect(formats[1].label == "Format 0 (unsupported, 0x494c4552)")
    #expect(formats[1].sizes.isEmpty)
  }

  @Test("sizes and rates that cannot be are left out")
  func leavesNonsenseOut() {
    let source = FakeSource(
      [mjpeg], sizes: [.discrete(size(0, 480)), .discrete(size(640, 1 << 20)), .discrete(size(640, 480))],
      rates: [.nonsense, .discrete(FrameRate(25))])
    #expect(
      FormatList.read(source).first?.sizes == [SizeDescription(size: size(640, 480), rates: [FrameRate(25)])])
  }

  @Test("a range upside down is no size")
  func leavesBadRangeOut() {
    let source = FakeSource(
      [mjpeg], sizes: [.range(smallest: size(1920, 1080), largest: size(640, 480), step: size(0, 0))])
    #expect(FormatList.read(source).first?.sizes.isEmpty == true)
  }
}

@Suite("A format's four characters")
struct FourCCTests {
  @Test("each format that camrig records is found by its code", arguments: PixelFormat.allCases)
  func roundTrip(_ format: PixelFormat) {
    #expect(FourCC(format).pixelFormat == format)
    #expect(FourCC(format).description == format.rawValue)
  }

  @Test("the first character is in the lowest byte")
  func byteOrder() { #expect(FourCC(.mjpeg).rawValue == 0x4750_4a4d) }
}

@Suite("A name that a device gives")
struct DeviceTextTests {
  private func text(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes { deviceText($0) } }

  @Test("it ends at its first zero byte and has no blanks around it")
  func ends() { #expect(text(Array("  Cam: 1 \0rubbish".utf8)) == "Cam: 1") }

  @Test("whatever bytes it has, it is valid text on one line")
  func isValid() {
    #expect(text([0x43, 0xff, 0x0a, 0x1b, 0x43]) == "C\u{FFFD}\u{FFFD}\u{FFFD}C")
    #expect(text([]) == "")
    #expect(text(Array("Kamera für Räume".utf8)) == "Kamera für Räume")
  }
}
