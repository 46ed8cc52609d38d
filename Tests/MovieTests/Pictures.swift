import CamrigModel
import TestSupport

/// Pictures that carry their own number as black and white cells, so that it survives encoding and any player.
enum Pictures {
  static let size = PixelSize(width: 160, height: 96)
  private static let cell = 16
  private static let bits = 10

  /// Grey pictures `0..<count`, one behind the other: the number in the upper half, seeded noise below, so that
  /// pictures differ and are some kilobytes long.
  static func raw(count: Int) -> [UInt8] {
    var random = SeededRandom(7)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * size.area)
    for number in 0..<count {
      for y in 0..<size.height {
        for x in 0..<size.width {
          guard y < 48 else {
            bytes.append(UInt8(truncatingIfNeeded: 96 + random.next() % 64))
            continue
          }
          let bit = x / cell
          bytes.append(bit < bits && number >> bit & 1 == 1 ? 235 : 16)
        }
      }
    }
    return bytes
  }

  /// The number in a decoded picture of the same size.
  static func number(in picture: ArraySlice<UInt8>) -> Int {
    var number = 0
    for bit in 0..<bits where picture[picture.startIndex + 24 * size.width + bit * cell + cell / 2] > 127 {
      number |= 1 << bit
    }
    return number
  }

  /// `count` JPEGs, made by FFmpeg.
  static func mjpeg(count: Int) -> [[UInt8]] {
    let stream = encode(count, ["-c:v", "mjpeg", "-q:v", "4", "-pix_fmt", "yuvj420p", "-f", "mjpeg"])
    var pictures: [[UInt8]] = []
    var begin = 0
    for end in stream.indices where end >= 1 && stream[end - 1] == 0xff && stream[end] == 0xd9 {
      pictures.append(Array(stream[begin...end]))
      begin = end + 1
    }
    return pictures
  }

  struct H264 {
    let sps: [UInt8]
    let pps: [UInt8]
    /// Slices behind their lengths, and whether it is a keyframe.
    let pictures: [(bytes: [UInt8], isKeyframe: Bool)]
  }

  /// `count` pictures, made by libx264, a keyframe each 25th.
  static func h264(count: Int) -> H264 {
    let stream = encode(
      count,
      [
        "-c:v", "libx264", "-preset", "ultrafast", "-profile:v", "high", "-pix_fmt", "yuv420p", "-x264-params",
        "bframes=0:keyint=25:min-keyint=25:scenecut=0:aud=1:repeat-headers=1:8x8dct=1:threads=1:slices=1", "-f", "h264",
      ])
    var sps: [UInt8] = []
    var pps: [UInt8] = []
    var pictures: [(bytes: [UInt8], isKeyframe: Bool)] = []
    for unit in units(stream) {
      switch unit[unit.startIndex] & 31 {
      case 7: sps = Array(unit)
      case 8: pps = Array(unit)
      case 1, 5:
        var length = UInt32(unit.count).bigEndian
        let head = withUnsafeBytes(of: &length) { Array($0) }
        pictures.append((head + unit, unit[unit.startIndex] & 31 == 5))
      default: break
      }
    }
    return H264(sps: sps, pps: pps, pictures: pictures)
  }

  private static func encode(_ count: Int, _ arguments: [String]) -> [UInt8] {
    let made = Program.run(
      "ffmpeg",
      ["-v", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "\(size)", "-r", "30", "-i", "-"] + arguments + ["-"],
      input: raw(count: count))
    precondition(made.status == 0, "ffmpeg could not make pictures: \(made.errors)")
    return made.output
  }

  /// The NAL units of an Annex B stream.
  private static func units(_ stream: [UInt8]) -> [ArraySlice<UInt8>] {
    var starts: [Int] = []
    var at = 0
    while at + 2 < stream.count {
      if stream[at] == 0, stream[at + 1] == 0, stream[at + 2] == 1 {
        starts.append(at + 3)
        at += 3
      } else {
        at += 1
      }
    }
    return starts.enumerated().map { place, start in
      var end = place + 1 < starts.count ? starts[place + 1] - 3 : stream.count
      while end > start, stream[end - 1] == 0 { end -= 1 }
      return stream[start..<end]
    }
  }
}
