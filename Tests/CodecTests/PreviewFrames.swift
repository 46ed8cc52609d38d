import CamrigModel
import Codec
import Frames
import Glibc
import TestSupport

/// Pictures as cameras of all formats send them, made by the ffmpeg program of one scene, and its judgement of others.
enum PreviewFrames {
  static func frame(
    _ bytes: [UInt8], _ format: PixelFormat, _ size: PixelSize, sequence: UInt64 = 41, isKeyframe: Bool = true
  ) -> Frame {
    Frame(
      bytes.withUnsafeBytes { FramePool().buffer(copying: $0) }, format: format, size: size,
      bytesPerLine: format.leastBytesPerLine(width: size.width),
      presentationTime: MediaTime(nanoseconds: 7_000_000_123 + Int64(sequence) * 1000), run: 3, sequence: sequence,
      isKeyframe: isKeyframe)
  }

  /// Frames up to the one that is to be shown, and that one as PNG.
  static func made(by format: PixelFormat, _ size: PixelSize) throws -> (frames: [Frame], reference: [UInt8]) {
    let scene = "testsrc2=s=\(size):r=30"
    if format == .h264 {
      let stream = H264Stream(size: "\(size)", frames: 5, parameters: "keyint=30:qp=10")
      let frames = stream.units.enumerated().map { index, bytes in
        frame(bytes, .h264, size, sequence: UInt64(index), isKeyframe: index == 0)
      }
      return (frames, run(["-f", "lavfi", "-i", scene, "-vf", "select=eq(n\\,4)"], "png"))
    }
    let filter = format == .grey ? "format=gray" : "null"
    let reference = run(["-f", "lavfi", "-i", scene, "-vf", filter], "png")
    let bytes =
      switch format {
      case .mjpeg: run(["-f", "lavfi", "-i", scene, "-pix_fmt", "yuvj422p", "-q:v", "2"], "mjpeg")
      case .yuyv: run(["-f", "lavfi", "-i", scene, "-pix_fmt", "yuyv422"], "rawvideo")
      case .uyvy: run(["-f", "lavfi", "-i", scene, "-pix_fmt", "uyvy422"], "rawvideo")
      case .nv12: run(["-f", "lavfi", "-i", scene, "-pix_fmt", "nv12"], "rawvideo")
      case .yu12: run(["-f", "lavfi", "-i", scene, "-pix_fmt", "yuv420p"], "rawvideo")
      case .grey, .h264: run(["-f", "lavfi", "-i", scene, "-pix_fmt", "gray"], "rawvideo")
      }
    return ([frame(bytes, format, size)], reference)
  }

  private static func run(_ arguments: [String], _ container: String) -> [UInt8] {
    let directory = TemporaryDirectory()
    let path = directory.path + "/out"
    let format = container == "png" ? ["-c:v", "png", "-f", "image2"] : ["-f", container]
    let result = Program.run(
      "ffmpeg", ["-v", "error"] + arguments + ["-frames:v", "1"] + format + [path])
    precondition(result.status == 0, "ffmpeg makes a picture: \(result.errors)")
    return FileBytes.read(path)
  }

  /// Of `frame` against the reference scaled by ffmpeg, in dB over all planes.
  static func ratioByFFmpeg(_ frame: Frame, reference: [UInt8], _ size: PixelSize) throws -> Double {
    let directory = TemporaryDirectory()
    FileBytes.write(frame.withBytes { Array($0) }, to: directory.path + "/a.jpg")
    FileBytes.write(reference, to: directory.path + "/b.png")
    let scale = "scale=\(size.width):\(size.height):flags=area:out_range=full,format=yuvj420p"
    let result = Program.run(
      "ffmpeg",
      [
        "-v", "info", "-xerror", "-i", directory.path + "/a.jpg", "-i", directory.path + "/b.png", "-lavfi",
        "[0]\(scale)[a];[1]\(scale)[b];[a][b]psnr", "-f", "null", "-",
      ])
    let words = result.errors.split { $0 == " " || $0 == "\n" }
    guard result.status == 0, let found = words.last(where: { $0.hasPrefix("average:") })?.dropFirst(8)
    else { return 0 }
    return found == "inf" ? 100 : Double(found) ?? 0
  }

  /// Peak signal to noise of bytes, in dB.
  static func signalToNoise(_ a: [UInt8], _ b: [UInt8]) -> Double {
    guard a.count == b.count, !a.isEmpty else { return 0 }
    var sum = 0
    a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        for index in 0..<a.count {
          let difference = Int(a[index]) - Int(b[index])
          sum += difference * difference
        }
      }
    }
    return sum == 0 ? 100 : 10 * log10(255 * 255 * Double(a.count) / Double(sum))
  }
}
