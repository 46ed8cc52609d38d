import CTurboJPEG
import CamrigModel
import Codec
import TestSupport
import Testing

@Suite("EXIF in a photo")
struct PhotoJPEGTests {
  private static let taken = WallTime(rfc3339: "2026-11-30T09:05:07.123456Z")!

  private func facts(_ change: (inout PhotoFacts) -> Void = { _ in }) -> PhotoFacts {
    var facts = PhotoFacts(
      size: TestJPEG.size, taken: Self.taken, offsetSeconds: 3600, camera: "Links außen", model: "HD Webcam C615",
      rig: "box", software: "camrig 1.0")
    change(&facts)
    return facts
  }

  private func photo(_ jpeg: [UInt8], _ facts: PhotoFacts) throws -> [UInt8] {
    try #require(jpeg.withUnsafeBytes { PhotoJPEG.make($0, facts: facts) })
  }

  /// `TAG: value` lines of ExifTool, with its complaints.
  private func exiftool(_ photo: [UInt8]) -> Program {
    let directory = TemporaryDirectory()
    FileBytes.write(photo, to: directory.path + "/a.jpg")
    return Program.run(
      "exiftool", ["-validate", "-warning", "-a", "-G1", "-s", "-n", "-all", directory.path + "/a.jpg"])
  }

  private func value(_ tag: String, _ lines: [String]) -> String? {
    lines.first { $0.split(separator: " ").dropFirst().first == Substring(tag) || $0.contains("] \(tag) ") }
      .flatMap { line in line.split(separator: ":", maxSplits: 1).last.map { String($0.dropFirst()) } }
  }

  @Test("the picture is byte for byte as it was, with one segment more")
  func lossless() throws {
    let jpeg = TestJPEG.make()
    let photo = try photo(jpeg, facts())
    let exif = TestJPEG.segment(0xe1, photo)
    var without = photo
    without.removeSubrange(exif)
    #expect(without == jpeg)
  }

  @Test("it stands behind JFIF, which must be first, and first where there is no JFIF")
  func place() throws {
    let jpeg = TestJPEG.make()
    #expect(TestJPEG.segments(try photo(jpeg, facts())).prefix(2).map(\.marker) == [0xe0, 0xe1])
    let bare = TestJPEG.without([0xe0], jpeg)
    #expect(TestJPEG.segments(try photo(bare, facts())).first?.marker == 0xe1)
    // What old capture chips put into APP0 is no JFIF.
    let avi = [0xff, 0xd8, 0xff, 0xe0, 0, 8] + Array("AVI1".utf8) + [0, 0] + bare[2...]
    let photo = try photo(avi, facts())
    #expect(TestJPEG.segments(photo).prefix(2).map(\.marker) == [0xe1, 0xe0])
    #expect(photo.suffix(bare.count - 2) == bare[2...])
  }

  @Test("the camera's own EXIF gives way to ours, its other APP1 segments stay")
  func replaces() throws {
    let jpeg = TestJPEG.make()
    let once = try photo(jpeg, facts { $0.camera = "before" })
    let xmp: [UInt8] = [0xff, 0xe1, 0, 10] + Array("http://a".utf8)
    let both = once[..<2] + xmp + once[2...]
    let photo = try photo(Array(both), facts())
    let markers = TestJPEG.segments(photo).filter { $0.marker == 0xe1 }
    #expect(markers.count == 2)
    #expect(photo.count == (try self.photo(jpeg, facts())).count + xmp.count)
    #expect(!exiftool(photo).text.contains("before"))
  }

  @Test("ExifTool reads it without a complaint, and jpeginfo and djpeg the picture")
  func others() throws {
    let known = facts { $0.exposure = PhotoExposure(time: .milliseconds(20), isAutomatic: false) }
    let photo = try photo(TestJPEG.make(), known)
    let run = exiftool(photo)
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.lines
    #expect(value("Validate", lines) == "0 0 0", "\(run.text)")
    #expect(value("ImageDescription", lines) == "Links außen")
    #expect(value("Model", lines) == "HD Webcam C615")
    #expect(value("HostComputer", lines) == "box")
    #expect(value("Software", lines) == "camrig 1.0")
    #expect(value("DateTimeOriginal", lines) == "2026:11:30 10:05:07")
    #expect(value("OffsetTimeOriginal", lines) == "+01:00")
    #expect(value("SubSecTimeOriginal", lines) == "123456")
    #expect(value("ExifImageWidth", lines) == "640" && value("ExifImageHeight", lines) == "480")
    #expect(value("ExposureTime", lines) == "0.02" && value("ExposureMode", lines) == "1")
    let directory = TemporaryDirectory()
    let path = directory.path + "/a.jpg"
    FileBytes.write(photo, to: path)
    let info = Program.run("jpeginfo", ["-c", path])
    #expect(info.status == 0 && info.text.contains("OK"), "\(info.text)")
    #expect(Program.run("djpeg", ["-outfile", "/dev/null", path]).status == 0)
  }

  @Test("what is not known is not written")
  func unknown() throws {
    let photo = try photo(TestJPEG.make(), PhotoFacts(size: TestJPEG.size, taken: nil, camera: "one"))
    let text = exiftool(photo).text
    for tag in ["DateTime", "OffsetTime", "Model", "ExposureTime", "ExposureMode", "WhiteBalance", "SubSec", "Make"] {
      #expect(!text.split(separator: "\n").contains { $0.contains("] \(tag)") }, "\(tag) in \(text)")
    }
  }

  @Test("the bytes are these", arguments: [3600, -12600])
  func bytes(offset: Int) throws {
    let segment = ExifBlock.segment(
      PhotoFacts(size: PixelSize(width: 2, height: 1), taken: Self.taken, offsetSeconds: offset, camera: "a"))
    let length = segment.count - 2
    let head: [UInt8] = [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 255)]
    #expect(Array(segment.prefix(18)) == head + Array("Exif\0\0II".utf8) + [42, 0, 8, 0, 0, 0])
    let text = String(decoding: segment, as: UTF8.self)
    #expect(text.contains(offset > 0 ? "+01:00\0" : "-03:30\0"))
    #expect(text.contains(offset > 0 ? "2026:11:30 10:05:07\0" : "2026:11:30 05:35:07\0"))
  }

  @Test("headers that cannot be followed get no EXIF")
  func broken() {
    let jpeg = TestJPEG.make()
    for cut in [0, 2, 5, 30] {
      #expect(jpeg.prefix(cut).withUnsafeBytes { PhotoJPEG.make($0, facts: facts()) } == nil)
    }
  }
}
