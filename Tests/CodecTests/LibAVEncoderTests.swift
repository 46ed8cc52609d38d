import CLinux
import CamrigModel
import Codec
import Frames
import TestSupport
import Testing

@Suite("Raw pictures become H.264")
struct LibAVEncoderTests {
  static let raw: [PixelFormat] = [.yuyv, .uyvy, .nv12, .yu12, .grey]
  static let size = PixelSize(width: 320, height: 240)
  static let software = EncoderSettings(choice: .software)

  @Test(
    "of 90 pictures 90 come out, in order, each with its exact time, a keyframe each second", arguments: raw, [0, 64])
  func all(pixelFormat: PixelFormat, extraBytes: Int) throws {
    let least = pixelFormat.leastBytesPerLine(width: Self.size.width)
    let format = VideoFormat(pixelFormat, Self.size, rate: FrameRate(30), bytesPerLine: least + extraBytes)
    let source = try PictureSource(format)
    let encoder = try LibAVEncoder(format: format, settings: Self.software)
    #expect(encoder.encoderName.hasPrefix("libx264 ("))
    var pictures: [EncodedPicture] = []
    // Times with nanoseconds and jitter, as drivers give them.
    let times = (0..<90).map { MediaTime(nanoseconds: 7_000_000_123 + Int64($0) * 33_333_333 + Int64($0 % 7) * 1001) }
    for index in 0..<90 { pictures += try encoder.encode(source.frame(UInt32(index), times[index])) }
    #expect(pictures.count == 90)
    pictures += try encoder.finish()
    #expect(pictures.map(\.presentationTime) == times)
    #expect(pictures.map(\.sequence) == (0..<90).map { UInt64($0) + 1000 })
    #expect(pictures.allSatisfy { $0.run == 3 && $0.sample.size == Self.size && $0.sample.format == .h264 })
    #expect(pictures.indices.filter { pictures[$0].isKeyframe } == [0, 30, 60])
    #expect(encoder.parameterSets.isComplete)
    #expect(encoder.parameterSets.sequenceParameters?.size == Self.size)
    #expect(try counters(pictures, encoder) == (0..<90).map { UInt32($0) })
  }

  @Test("keyframes go by time, not by count")
  func keyframesByTime() throws {
    let format = VideoFormat(.yu12, Self.size, rate: FrameRate(30))
    let source = try PictureSource(format)
    let encoder = try LibAVEncoder(format: format, settings: Self.software)
    // The camera drops to ten pictures a second, and then stands still for four seconds.
    var times = (0..<25).map { MediaTime(seconds: 5, microseconds: Int64($0) * 100_000) }
    times.append(MediaTime(seconds: 12, microseconds: 0))
    var keyframes: [Int] = []
    for (index, time) in times.enumerated() {
      let pictures = try encoder.encode(source.frame(UInt32(index), time))
      if pictures.first?.isKeyframe == true { keyframes.append(index) }
    }
    #expect(keyframes == [0, 10, 20, 25])
  }

  @Test("a keyframe that is asked for comes at once")
  func askedKeyframe() throws {
    let format = VideoFormat(.yu12, Self.size, rate: FrameRate(30))
    let source = try PictureSource(format)
    let encoder = try LibAVEncoder(format: format, settings: Self.software)
    var keyframes: [Int] = []
    for index in 0..<40 {
      if index == 7 { encoder.requestKeyframe() }
      let time = MediaTime(seconds: 5, microseconds: Int64(index) * 33_333)
      if try encoder.encode(source.frame(UInt32(index), time)).first?.isKeyframe == true { keyframes.append(index) }
    }
    #expect(keyframes == [0, 7, 37])
  }

  @Test("samples hold no parameter sets, and are length-prefixed")
  func samples() throws {
    let format = VideoFormat(.yuyv, Self.size, rate: FrameRate(30))
    let encoder = try LibAVEncoder(format: format, settings: Self.software)
    let picture = try #require(try encoder.encode(PictureSource(format).frame(1, MediaTime(nanoseconds: 1))).first)
    let bytes = try #require(picture.sample.withBytes { H264Stream.annexB(sample: Array($0)) })
    let unit = try #require(H264Stream.parse(bytes))
    #expect(unit.isInstantRefresh && unit.sequenceParameters.isEmpty && unit.pictureParameters.isEmpty)
  }

  @Test("a raw picture is not kept when it is encoded, nor its encoder gone", arguments: [PixelFormat.nv12, .yuyv])
  func letsGo(pixelFormat: PixelFormat) throws {
    let format = VideoFormat(pixelFormat, Self.size, rate: FrameRate(30))
    let source = try PictureSource(format)
    let encoder = try LibAVEncoder(format: format, settings: Self.software)
    weak var kept: Frame?
    do {
      let frame = try source.frame(1, MediaTime(nanoseconds: 1))
      kept = frame
      _ = try encoder.encode(frame)
    }
    #expect(kept == nil)
    _ = try encoder.finish()
  }

  @Test("a picture that does not fit is refused with its reason, and the next one is encoded")
  func refusals() throws {
    let format = VideoFormat(.yuyv, Self.size, rate: FrameRate(30))
    let source = try PictureSource(format)
    let encoder = try LibAVEncoder(format: format, settings: Self.software)
    let pool = FramePool()
    func frame(_ format: PixelFormat, _ size: PixelSize, count: Int, _ time: Int64) -> Frame {
      Frame(
        pool.buffer(count: count) { $0.initializeMemory(as: UInt8.self, repeating: 0) }, format: format, size: size,
        bytesPerLine: 640, presentationTime: MediaTime(nanoseconds: time), run: 1, sequence: 1, isKeyframe: true)
    }
    #expect(throws: CodecError.shortPicture(byteCount: 962, expected: 153_600)) {
      try encoder.encode(frame(.yuyv, Self.size, count: 962, 1000))
    }
    #expect(throws: CodecError.otherFormat(found: "NV12 320x240", expected: "YUYV 320x240")) {
      try encoder.encode(frame(.nv12, Self.size, count: 153_600, 1000))
    }
    #expect(try encoder.encode(source.frame(1, MediaTime(nanoseconds: 50_000))).count == 1)
    #expect(throws: CodecError.timeRunsBackwards) {
      try encoder.encode(source.frame(2, MediaTime(nanoseconds: 50_000)))
    }
    #expect(try encoder.encode(source.frame(3, MediaTime(nanoseconds: 90_000))).count == 1)
    // Page-rounded buffers are longer than their picture.
    #expect(try encoder.encode(frame(.yuyv, Self.size, count: 155_648, 200_000)).count == 1)
    #expect(throws: CodecError.encoderSize(PixelSize(width: 321, height: 240))) {
      try LibAVEncoder(format: VideoFormat(.yuyv, PixelSize(width: 321, height: 240), rate: nil))
    }
    #expect(throws: CodecError.notRaw(.mjpeg)) { try LibAVEncoder(format: VideoFormat(.mjpeg, Self.size, rate: nil)) }
  }

  @Test("an encoder that never saw a picture can be finished, and a finished one says so")
  func finishing() throws {
    let format = VideoFormat(.yuyv, Self.size, rate: nil)
    let source = try PictureSource(format)
    let unused = try LibAVEncoder(format: format, settings: Self.software)
    #expect(try unused.finish().isEmpty)
    let encoder = try LibAVEncoder(format: format, settings: Self.software)
    _ = try encoder.encode(source.frame(1, MediaTime(nanoseconds: 0)))
    #expect(try encoder.finish().isEmpty)
    #expect(try encoder.finish().isEmpty)
    #expect(throws: CodecError.self) { try encoder.encode(source.frame(2, MediaTime(nanoseconds: 1_000_000))) }
  }

  @Test("hardware that does not open is passed over; without any encoder it is said what each one said")
  func passedOver() throws {
    let format = VideoFormat(.yuyv, Self.size, rate: FrameRate(30))
    let encoder = try LibAVEncoder(format: format, candidates: [.vaapi(device: "/dev/null"), .x264])
    #expect(encoder.encoderName.hasPrefix("libx264 ("))
    do {
      _ = try LibAVEncoder(format: format, candidates: [.vaapi(device: "/nonexistent")])
      Issue.record("there is no such card")
    } catch {
      #expect("\(error)".hasPrefix("no H.264 encoder works here (the encoder VAAPI failed: "))
      #expect("\(error)".hasSuffix("Install libavcodec with libx264, or choose MJPG for this camera."))
    }
  }

  @Test("whatever this machine has, an encoder opens and encodes")
  func automatic() throws {
    let format = VideoFormat(.yuyv, Self.size, rate: FrameRate(30))
    let source = try PictureSource(format)
    let encoder = try LibAVEncoder(format: format)
    var pictures: [EncodedPicture] = []
    for index in 0..<5 {
      pictures += try encoder.encode(
        source.frame(UInt32(index), MediaTime(seconds: 1, microseconds: Int64(index) * 33_333)))
    }
    pictures += try encoder.finish()
    #expect(pictures.count == 5)
    #expect(try counters(pictures, encoder) == [0, 1, 2, 3, 4])
  }
}

/// Frames of the test pattern, numbered from sequence 1000 on.
private struct PictureSource {
  let format: VideoFormat
  let renderer: TestPatternRenderer
  let pool = FramePool()

  init(_ format: VideoFormat) throws {
    self.format = format
    renderer = try TestPatternRenderer(format: format)
  }

  func frame(_ counter: UInt32, _ time: MediaTime) throws -> Frame {
    let buffer = try renderer.render(counter: counter, time: WallTime(nanoseconds: time.nanoseconds)) {
      pool.buffer(copying: $0)
    }
    return Frame(
      buffer, format: format.pixelFormat, size: format.size, bytesPerLine: format.bytesPerLine, presentationTime: time,
      run: 3, sequence: UInt64(counter) + 1000, isKeyframe: true)
  }
}

/// The counters that another program sees in what was encoded.
private func counters(_ pictures: [EncodedPicture], _ encoder: LibAVEncoder) throws -> [UInt32?] {
  var stream = (encoder.parameterSets.sequence + encoder.parameterSets.picture).flatMap { set -> [UInt8] in
    [0, 0, 0, 1] + set
  }
  for picture in pictures {
    stream += try #require(picture.sample.withBytes { H264Stream.annexB(sample: Array($0)) })
  }
  let directory = TemporaryDirectory()
  FileBytes.write(stream, to: directory.path + "/s.h264")
  let result = Program.run(
    "ffmpeg",
    [
      "-v", "error", "-xerror", "-i", directory.path + "/s.h264", "-f", "rawvideo", "-pix_fmt", "gray",
      "-fps_mode", "passthrough", directory.path + "/s.raw",
    ])
  try #require(result.status == 0, "\(result.errors)")
  let luma = FileBytes.read(directory.path + "/s.raw")
  let size = LibAVEncoderTests.size
  return stride(from: 0, to: luma.count, by: size.area).map { start in
    luma[start..<(start + size.area)].withUnsafeBytes {
      TestPattern.readCounter(fromLuma: $0, bytesPerLine: size.width, width: size.width)
    }
  }
}
