import CTurboJPEG
import CamrigModel
import Codec
import Frames
import TestSupport
import Testing

@Suite("Pictures at preview size")
struct PreviewRendererTests {
  private func pictures(_ frames: [Frame], in hub: FrameHub = FrameHub(prerollLength: .zero, prerollCapacityBytes: 1))
    throws -> FrameTap.Pictures
  {
    let tap = FrameTap(capacityBytes: 1 << 30, capacityPictures: 1000) { _ in }
    hub.add(tap)
    for frame in frames { hub.publish(.frame(frame)) }
    return try #require(tap.take())
  }

  private func jpeg(_ bytes: [UInt8], _ size: PixelSize) -> Frame { PreviewFrames.frame(bytes, .mjpeg, size) }

  private func decoded(_ bytes: [UInt8], within most: PixelSize) throws -> DecodedPicture {
    let decoder = try JPEGDecoder()
    return try bytes.withUnsafeBytes { bytes in Result { try decoder.decode(bytes, .rgb, within: most) } }.get()
  }

  @Test(
    "MJPEG of every sampling is reduced by every eighth, at any size, to the picture that libjpeg decodes so small",
    arguments: [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_GRAY, TJSAMP_440, TJSAMP_411].map(\.rawValue),
    [PixelSize(width: 640, height: 480), PixelSize(width: 641, height: 479)])
  func reduces(sampling: UInt32, size: PixelSize) throws {
    let source = TestJPEG.make(size, sampling: TJSAMP(rawValue: sampling), quality: 95)
    let renderer = PreviewRenderer()
    try renderer.take(pictures([jpeg(source, size)]))
    for eighths in 1...8 {
      let wanted = size.reduced(eighths: eighths)
      let frame = try #require(try renderer.render(wanted, quality: 95))
      #expect(frame.size == wanted)
      let bytes = frame.withBytes { Array($0) }
      let verdict = TestJPEG.check(bytes, expecting: wanted)
      guard case .good = verdict else {
        Issue.record("\(wanted): \(verdict)")
        continue
      }
      let got = try decoded(bytes, within: wanted)
      let reference = try decoded(source, within: wanted)
      #expect(got.size == wanted)
      #expect(!got.isDamaged)
      let ratio = PreviewFrames.signalToNoise(got.bytes, reference.bytes)
      // Noise of single pixels in the blue is averaged away with the colour's resolution.
      #expect(ratio > 26, "\(eighths)/8: \(ratio) dB")
    }
  }

  @Test("how bright a picture is can be told of every format", arguments: PixelFormat.allCases)
  func brightness(format: PixelFormat) throws {
    let size = PixelSize(width: 640, height: 360)
    let source = try PreviewFrames.made(by: format, size)
    let renderer = PreviewRenderer()
    #expect(try renderer.brightness() == nil)
    try renderer.take(pictures(source.frames))
    let brightness = try #require(try renderer.brightness())
    let jpeg = try #require(try renderer.render(size, quality: 95)).withBytes { Array($0) }
    let decoder = try JPEGDecoder()
    let shown = try jpeg.withUnsafeBytes { bytes in Result { try decoder.decode(bytes, .luma) } }.get()
    let mean = Double(shown.bytes.reduce(0) { $0 + Int($1) }) / Double(shown.bytes.count)
    #expect(abs(brightness - mean) < 2, "\(brightness), not \(mean)")
    #expect(try renderer.brightness() == brightness)
  }

  @Test("ffmpeg agrees that it is the same picture, whatever the camera's format", arguments: PixelFormat.allCases)
  func agrees(format: PixelFormat) throws {
    let size = PixelSize(width: 640, height: 360)
    let wanted = PixelSize(width: 320, height: 180)
    let source = try PreviewFrames.made(by: format, size)
    let renderer = PreviewRenderer()
    try renderer.take(pictures(source.frames))
    let frame = try #require(try renderer.render(wanted, quality: 92))
    #expect(frame.size == wanted)
    #expect(frame.format == .mjpeg)
    let newest = try #require(source.frames.last)
    #expect(frame.presentationTime == newest.presentationTime)
    #expect(frame.sequence == newest.sequence)
    #expect(frame.run == newest.run)
    let ratio = try PreviewFrames.ratioByFFmpeg(frame, reference: source.reference, wanted)
    #expect(ratio > 30, "\(format.rawValue): \(ratio) dB")
  }

  @Test("a picture of its own size is made too, and a lower quality is smaller", arguments: PixelFormat.allCases)
  func quality(format: PixelFormat) throws {
    let size = PixelSize(width: 640, height: 360)
    let source = try PreviewFrames.made(by: format, size)
    let renderer = PreviewRenderer()
    try renderer.take(pictures(source.frames))
    let good = try #require(try renderer.render(size, quality: 90))
    let poor = try #require(try renderer.render(size, quality: 30))
    #expect(good.size == size)
    #expect(poor.byteCount < good.byteCount * 2 / 3)
    #expect(try PreviewFrames.ratioByFFmpeg(good, reference: source.reference, size) > 30)
  }

  @Test("a picture cut short or damaged is refused, and the next one is shown")
  func damaged() throws {
    let size = PixelSize(width: 640, height: 480)
    let whole = TestJPEG.make(size)
    let renderer = PreviewRenderer()
    let wanted = PixelSize(width: 320, height: 240)
    try renderer.take(pictures([jpeg(Array(whole[0..<(whole.count / 2)]), size)]))
    #expect(throws: CodecError.self) { try renderer.render(wanted, quality: 80) }
    // In the middle of the data, where the structure does not show it.
    var flipped = whole
    for at in stride(from: whole.count / 2, to: whole.count / 2 + 300, by: 7) {
      flipped[at] = flipped[at] ^ 0x55 & 0x7f
    }
    try renderer.take(pictures([jpeg(flipped, size)]))
    #expect(throws: CodecError.self) { try renderer.render(wanted, quality: 80) }
    try renderer.take(pictures([jpeg(whole, size)]))
    #expect(try renderer.render(wanted, quality: 80)?.size == wanted)
  }

  @Test("a few bytes too many before the end of a picture, as some cameras send, do not spoil it")
  func extraBytes() throws {
    let size = PixelSize(width: 640, height: 480)
    var bytes = TestJPEG.make(size)
    bytes.insert(contentsOf: [0, 0, 0], at: bytes.count - 2)
    let renderer = PreviewRenderer()
    try renderer.take(pictures([jpeg(bytes, size)]))
    #expect(try renderer.render(PixelSize(width: 320, height: 240), quality: 80) != nil)
  }

  @Test("H.264 is decoded on from keyframe and from picture, and its parameter sets are those kept for it")
  func h264() throws {
    let stream = H264Stream(size: "320x240", frames: 20, parameters: "keyint=8:min-keyint=8")
    var sets = H264ParameterSets()
    let units = try stream.units.map { bytes in
      let unit = try #require(H264Stream.parse(bytes))
      _ = bytes.withUnsafeBytes { sets.take(unit, from: $0) }
      return try #require(H264Stream.annexB(sample: H264Stream.sample(bytes, unit)))
    }
    #expect(sets.isComplete)
    let kept = sets
    let renderer = PreviewRenderer(parameterSets: { kept })
    let frames = units.enumerated().map { index, bytes in
      PreviewFrames.frame(
        bytes, .h264, PixelSize(width: 320, height: 240), sequence: UInt64(index), isKeyframe: index % 8 == 0)
    }
    let hub = FrameHub(prerollLength: .zero, prerollCapacityBytes: 1)
    let tap = FrameTap { _ in }
    hub.add(tap)
    var shown: [UInt64?] = []
    for batch in [8...8, 9...11, 12...18, 19...19] {
      for index in batch { hub.publish(.frame(frames[index])) }
      try renderer.take(try #require(tap.take()))
      shown.append(try renderer.render(PixelSize(width: 160, height: 120), quality: 80)?.sequence)
    }
    #expect(shown == [8, 11, 18, 19])
  }

  @Test("H.264 that is damaged is not shown, nor what builds on it")
  func damagedH264() throws {
    let stream = H264Stream(size: "320x240", frames: 12, parameters: "keyint=6:min-keyint=6")
    let size = PixelSize(width: 320, height: 240)
    func frame(_ index: Int, _ bytes: [UInt8]) -> Frame {
      PreviewFrames.frame(bytes, .h264, size, sequence: UInt64(index), isKeyframe: index % 6 == 0)
    }
    let renderer = PreviewRenderer()
    var broken = stream.units[1]
    for at in stride(from: broken.count / 4, to: broken.count, by: 3) { broken[at] ^= 0x5a }
    #expect(throws: CodecError.self) {
      try renderer.take(pictures([frame(0, stream.units[0]), frame(1, broken)]))
    }
    #expect(renderer.current == nil)
    #expect(try renderer.render(size, quality: 80) == nil)
    try renderer.take(pictures([frame(6, stream.units[6]), frame(7, stream.units[7])]))
    #expect(try renderer.render(size, quality: 80)?.sequence == 7)
  }

  @Test("a camera that changes size and format in mid-stream is followed")
  func changes() throws {
    let renderer = PreviewRenderer()
    for (format, size) in [
      (PixelFormat.mjpeg, "640x480"), (.mjpeg, "320x240"), (.yuyv, "640x480"), (.h264, "320x240"), (.h264, "640x480"),
      (.nv12, "320x240"), (.mjpeg, "640x480"),
    ] {
      let size = try #require(PixelSize(size))
      try renderer.take(pictures(PreviewFrames.made(by: format, size).frames))
      let wanted = size.reduced(eighths: 4)
      #expect(try renderer.render(wanted, quality: 80)?.size == wanted)
    }
  }

  @Test("a picture wanted at several qualities is the same one, and a raw one is let go when it is forgotten")
  func letsGo() throws {
    let size = PixelSize(width: 320, height: 240)
    var frame: Frame? = try PreviewFrames.made(by: .nv12, size).frames.last
    weak var held: Frame?
    held = frame
    let renderer = PreviewRenderer()
    try renderer.take(pictures([try #require(frame)]))
    _ = try renderer.render(size, quality: 80)
    frame = nil
    #expect(held != nil)
    renderer.forget()
    #expect(held == nil)
  }
}
