import CamrigModel
import Codec
import Frames
import Testing

@Suite("Turned raw pictures")
struct RawTurnerTests {
  private static let size = PixelSize(width: 68, height: 38)

  /// Of any numbers, with a few bytes behind each line.
  private func frame(_ format: PixelFormat, _ size: PixelSize = size) -> Frame {
    let line = format.leastBytesPerLine(width: size.width) + 12
    var numbers = SeededNumbers(3)
    let pool = FramePool()
    let count = format.rawByteCount(size: size, bytesPerLine: line)
    let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
    return Frame(
      bytes.withUnsafeBytes { pool.buffer(copying: $0) }, format: format, size: size, bytesPerLine: line,
      presentationTime: MediaTime(nanoseconds: 5), run: 2, sequence: 9, isKeyframe: true)
  }

  /// Luma, Cb and Cr, read with nothing of the code that is tested.
  private func planes(_ frame: Frame) -> [JPEGPictures.Plane] {
    let (width, height, line) = (frame.size.width, frame.size.height, frame.bytesPerLine)
    let lumaBytes = line * height
    func plane(_ width: Int, _ height: Int, _ at: (Int, Int) -> Int) -> JPEGPictures.Plane {
      frame.withBytes { bytes in
        var plane = JPEGPictures.Plane(width: width, height: height, bytes: [])
        for y in 0..<height { for x in 0..<width { plane.bytes.append(bytes[at(x, y)]) } }
        return plane
      }
    }
    switch frame.format {
    case .yuyv:
      return [plane(width, height) { $1 * line + $0 * 2 }]
        + [1, 3].map { first in plane(width / 2, height) { $1 * line + $0 * 4 + first } }
    case .uyvy:
      return [plane(width, height) { $1 * line + $0 * 2 + 1 }]
        + [0, 2].map { first in plane(width / 2, height) { $1 * line + $0 * 4 + first } }
    case .nv12:
      return [plane(width, height) { $1 * line + $0 }]
        + [0, 1].map { first in plane(width / 2, height / 2) { lumaBytes + $1 * line + $0 * 2 + first } }
    case .yu12:
      let chroma = line / 2 * (height / 2)
      return [plane(width, height) { $1 * line + $0 }]
        + [0, chroma].map { first in plane(width / 2, height / 2) { lumaBytes + first + $1 * (line / 2) + $0 } }
    case .grey: return [plane(width, height) { $1 * line + $0 }]
    case .mjpeg, .h264: return []
    }
  }

  private func turn(_ frame: Frame, _ setting: PictureSetting) throws -> Frame {
    let turner = try #require(try pictureTurner(setting, frame.format))
    let format = try turner.format(of: frame)
    let turned = try turner.turn(frame)
    #expect(turned.size == format.size && turned.format == format.pixelFormat)
    #expect(turned.bytesPerLine == format.bytesPerLine)
    #expect(turned.run == 2 && turned.sequence == 9 && turned.presentationTime.nanoseconds == 5)
    return turned
  }

  /// As two lines share a colour: what YUYV becomes when it is turned by a quarter.
  private func averaged(_ plane: JPEGPictures.Plane) -> JPEGPictures.Plane {
    var result = JPEGPictures.Plane(width: plane.width, height: plane.height / 2, bytes: [])
    for y in 0..<result.height {
      for x in 0..<plane.width {
        let (top, bottom) = (plane.bytes[2 * y * plane.width + x], plane.bytes[(2 * y + 1) * plane.width + x])
        result.bytes.append(UInt8((Int(top) + Int(bottom) + 1) / 2))
      }
    }
    return result
  }

  @Test("each sample is where it belongs", arguments: [PixelFormat.yuyv, .uyvy, .nv12, .yu12, .grey])
  func exact(format: PixelFormat) throws {
    let frame = frame(format)
    for setting in PictureSetting.turns where !setting.isIdentity {
      let turned = try turn(frame, setting)
      var expected = planes(frame)
      if setting.rotation.swapsAxes, format == .yuyv || format == .uyvy {
        #expect(turned.format == .yu12)
        for index in 1...2 { expected[index] = averaged(expected[index]) }
      } else {
        #expect(turned.format == format)
      }
      #expect(planes(turned) == expected.map { $0.turned(setting) }, "\(format) \(setting)")
    }
  }

  @Test("a part of it is the same picture", arguments: [PixelFormat.yuyv, .uyvy, .nv12, .yu12, .grey])
  func parts(format: PixelFormat) throws {
    let frame = frame(format)
    let part = try turn(frame, PictureSetting(.none, zoom: 2, x: 1, y: 0))
    #expect(part.size == PixelSize(width: 34, height: 20))
    let before = planes(frame)
    let after = planes(part)
    #expect(after[0] == before[0].cropped(34..<68, 0..<20))
    for index in after.indices.dropFirst() {
      let rows = before[index].height == 38 ? 0..<20 : 0..<10
      #expect(after[index] == before[index].cropped(17..<34, rows))
    }
  }

  @Test("an odd column and row are cut off, for two pixels share a colour")
  func odd() throws {
    let turned = try turn(frame(.nv12, PixelSize(width: 69, height: 39)), PictureSetting(.none, mirror: true))
    #expect(turned.size == Self.size)
  }

  @Test("a picture that is too short is refused, and H.264 has no turner")
  func refuses() throws {
    let turner = try #require(try pictureTurner(PictureSetting(.half), .grey))
    let pool = FramePool()
    let short = Frame(
      [UInt8](repeating: 0, count: 99).withUnsafeBytes { pool.buffer(copying: $0) }, format: .grey, size: Self.size,
      bytesPerLine: 68, presentationTime: MediaTime(nanoseconds: 0), run: 1, sequence: 0, isKeyframe: true)
    #expect(throws: CodecError.self) { try turner.turn(short) }
    let without = [try pictureTurner(PictureSetting(.half), .h264), try pictureTurner(PictureSetting(), .mjpeg)]
    #expect(without.allSatisfy { $0 == nil })
  }
}
