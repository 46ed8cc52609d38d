import CamrigModel
import Codec
import TestSupport

/// Streams made by x264 through the ffmpeg program, cut into what a camera's buffers would hold.
struct H264Stream {
  let bytes: [UInt8]
  let units: [[UInt8]]

  init(size: String = "320x240", frames: Int, parameters: String, profile: String = "high", pixels: String = "yuv420p")
  {
    let directory = TemporaryDirectory()
    let path = directory.path + "/stream.h264"
    let result = Program.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=30", "-frames:v", "\(frames)",
        "-pix_fmt", pixels, "-c:v", "libx264", "-preset", "ultrafast", "-profile:v", profile, "-threads", "1",
        "-x264-params", "aud=1:bframes=0:scenecut=0:\(parameters)", "-f", "h264", path,
      ])
    precondition(result.status == 0, "ffmpeg makes a stream: \(result.errors)")
    bytes = FileBytes.read(path)
    // Each picture begins with a delimiter.
    var starts: [Int] = []
    for at in bytes.indices.dropLast(5) where bytes[at..<(at + 5)].elementsEqual([0, 0, 0, 1, 9]) { starts.append(at) }
    let all = bytes
    units = zip(starts, starts.dropFirst() + [bytes.count]).map { Array(all[$0..<$1]) }
  }

  static func parse(_ bytes: [UInt8]) -> H264AccessUnit? {
    bytes.withUnsafeBytes { bytes in try? H264AccessUnit(bytes) }
  }

  static func sample(_ bytes: [UInt8], _ unit: H264AccessUnit) -> [UInt8] {
    var result = [UInt8](repeating: 0xee, count: unit.sampleByteCount)
    bytes.withUnsafeBytes { source in result.withUnsafeMutableBytes { unit.copySample(of: source, into: $0) } }
    return result
  }

  /// A movie's sample as a byte stream again; nil if its lengths do not add up.
  static func annexB(sample: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var at = 0
    while at < sample.count {
      guard at + 4 <= sample.count else { return nil }
      let length = sample[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard length > 0, at + 4 + length <= sample.count else { return nil }
      result += [0, 0, 0, 1] + sample[(at + 4)..<(at + 4 + length)]
      at += 4 + length
    }
    return result
  }
}
