import CamrigModel
import Codec
import Frames
import Streaming
import TestSupport
import Testing

@Suite("The header of media messages")
struct MediaHeaderTests {
  private let header = MediaHeader(
    kind: .picture, flags: .reduced, stream: 0x0403_0201, sequence: 0x1817_1615_1413_1211,
    presentationMicroseconds: 1_000_033_333,
    detail: .init(width: 1280, height: 720, skipped: 3, ageMilliseconds: 21))

  @Test("it is these 32 bytes")
  func pinned() {
    #expect(
      header.bytes == [
        1, 1, 1, 0, 1, 2, 3, 4, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x35, 0x4c, 0x9b, 0x3b, 0, 0, 0, 0,
        0, 5, 0xd0, 2, 3, 0, 21, 0,
      ])
    #expect(header.bytes.count == MediaHeader.byteCount)
  }

  @Test("the last eight bytes are channels and sample frames of sound, and the offset of a piece of a file")
  func others() {
    let chunk = SoundChunk(presentationTime: MediaTime(nanoseconds: 5_000_000), channels: 2, bytes: [])
    let sound = MediaHeader(
      chunk, skipped: 4, at: MediaTime(nanoseconds: 40_000_000), stream: 2, sequence: 3)
    #expect(
      sound.bytes == [
        2, 1, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x13, 0, 0, 0, 0, 0, 0, 2, 0, 0xc0, 3, 4, 0, 35, 0,
      ])
    let piece = MediaHeader(
      kind: .fileChunk, flags: .last, stream: 3, sequence: 1, presentationMicroseconds: 0,
      detail: .init(offset: 0x1817_1615_1413_1211))
    #expect(
      piece.bytes == [
        3, 1, 2, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16,
        0x17, 0x18,
      ])
    #expect(MediaHeader(piece.bytes)?.detail.offset == 0x1817_1615_1413_1211)
  }

  @Test("what was written is read again, with what follows it or without")
  func reads() {
    #expect(MediaHeader(header.bytes) == header)
    #expect(MediaHeader(header.bytes + [0xff, 0xd8]) == header)
    for kind in [MediaHeader.Kind.sound, .fileChunk] {
      var other = header
      other.kind = kind
      other.presentationMicroseconds = -5
      #expect(MediaHeader(other.bytes) == other)
    }
  }

  @Test("what is too short, of another version or of an unknown kind is refused")
  func refuses() {
    for count in 0..<32 { #expect(MediaHeader(header.bytes.prefix(count)) == nil) }
    var other = header.bytes
    other[1] = 2
    #expect(MediaHeader(other) == nil)
    other = header.bytes
    other[0] = 9
    #expect(MediaHeader(other) == nil)
  }

  @Test("numbers of a picture that do not fit are given as the largest ones")
  func clamps() {
    let picture = PreviewPicture(
      frame: Pictures(size: PixelSize(width: 70_000, height: 2)).frame(3), age: .seconds(100), skipped: 100_000)
    let header = MediaHeader(picture, stream: 7, sequence: 9)
    #expect(header.detail == .init(width: 65535, height: 2, skipped: 65535, ageMilliseconds: 65535))
    #expect(header.presentationMicroseconds == 1_000_100_000)
    #expect(header.kind == .picture && header.flags == [] && header.stream == 7 && header.sequence == 9)
  }
}

@Suite("Pictures one after the other over HTTP")
struct MultipartFramingTests {
  @Test("a picture's header is this text, with its time in seconds")
  func header() {
    let text = String(
      decoding: MultipartFraming.header(byteCount: 1234, presentationTime: MediaTime(nanoseconds: 7_000_045_678)),
      as: UTF8.self)
    #expect(text == "Content-Type: image/jpeg\r\nContent-Length: 1234\r\nX-Timestamp: 7.000045\r\n\r\n")
    #expect(MultipartFraming.contentType == "multipart/x-mixed-replace;boundary=camrigpicture")
    #expect(String(decoding: MultipartFraming.opening, as: UTF8.self) == "--camrigpicture\r\n")
    #expect(String(decoding: MultipartFraming.closing, as: UTF8.self) == "\r\n--camrigpicture\r\n")
  }

  @Test("ffmpeg reads as many pictures as were sent, and finds no fault")
  func read() throws {
    let camera = try PatternCamera(.mjpeg, PixelSize(width: 320, height: 240))
    var stream = MultipartFraming.opening
    for sequence in UInt64(0)..<12 {
      let frame = try camera.frame(sequence)
      stream += MultipartFraming.header(byteCount: frame.byteCount, presentationTime: frame.presentationTime)
      stream += frame.withBytes { Array($0) }
      stream += MultipartFraming.closing
    }
    let directory = TemporaryDirectory()
    FileBytes.write(stream, to: directory.path + "/s")
    let result = Program.run(
      "ffprobe",
      [
        "-v", "error", "-f", "mpjpeg", "-strict_mime_boundary", "1", "-count_frames", "-show_entries",
        "stream=nb_read_frames,width", "-of", "csv=p=0", directory.path + "/s",
      ])
    #expect(result.lines.first == "320,12", "\(result.text) \(result.errors)")
  }
}
