import Movie
import TestSupport

/// What other people's programs see in a file.
enum Players {
  struct Packet: Equatable {
    let time: Int64
    let byteCount: Int
    let isKeyframe: Bool
  }

  /// The packets of a stream (`v:0`, `a:0`) in ticks of its own time base, by ffprobe.
  static func packets(_ path: String, _ stream: String) -> [Packet] {
    let run = Program.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts,size,flags", "-of", "csv=p=0", path,
      ])
    return run.text.split(separator: "\n").compactMap { line -> Packet? in
      let fields = line.split(separator: ",")
      guard fields.count >= 3, let time = Int64(fields[0]), let size = Int(fields[1]) else { return nil }
      return Packet(time: time, byteCount: size, isKeyframe: fields[2].first == "K")
    }
  }

  /// The numbers in the pictures, decoded by `ffmpeg -xerror`, and what it complained about (not of the grey that
  /// the test asks for, which is a warning).
  static func ffmpeg(_ path: String) -> (numbers: [Int], status: Int32, errors: String) {
    let run = Program.run(
      "ffmpeg",
      [
        "-v", "error", "-xerror", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "rawvideo",
        "-pix_fmt", "gray", "-",
      ])
    return (numbers(run.output), run.status, run.errors)
  }

  /// What FFmpeg complains about while it decodes all streams to nothing; empty if it is content.
  static func complaints(_ path: String) -> String {
    let run = Program.run("ffmpeg", ["-v", "error", "-xerror", "-i", path, "-map", "0", "-f", "null", "-"])
    return run.errors + (run.status == 0 ? "" : "status \(run.status)")
  }

  /// Samples of the first sound stream, decoded.
  static func sound(_ path: String) -> [UInt8] {
    Program.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"]).output
  }

  /// The numbers in the pictures as GStreamer's qtdemux gives them.
  static func gstreamer(_ path: String, decoder: String) -> (numbers: [Int], status: Int32, errors: String) {
    let directory = TemporaryDirectory()
    let out = "\(directory.path)/pictures"
    let run = Program.run(
      "gst-launch-1.0",
      [
        "-q", "filesrc", "location=\(path)", "!", "qtdemux", "name=d", "d.video_0", "!", "queue", "!", decoder, "!",
        "videoconvert", "!", "video/x-raw,format=GRAY8", "!", "filesink", "location=\(out)",
      ])
    return (run.status == 0 ? numbers(FileBytes.read(out)) : [], run.status, run.errors + run.text)
  }

  /// The count of pictures that mediainfo finds.
  static func mediainfo(_ path: String) -> Int? {
    let run = Program.run("mediainfo", ["--Output=Video;%FrameCount%", path])
    return Int(run.text.filter(\.isNumber))
  }

  /// The numbers in the pictures that melt plays at 30 a second.
  static func melt(_ path: String) -> (numbers: [Int], status: Int32, errors: String) {
    let run = Melt.luma(path, size: Pictures.size)
    return (numbers(run.output), run.status, run.errors)
  }

  private static func numbers(_ pictures: [UInt8]) -> [Int] {
    stride(from: 0, to: pictures.count - pictures.count % Pictures.size.area, by: Pictures.size.area).map {
      Pictures.number(in: pictures[$0..<$0 + Pictures.size.area])
    }
  }
}
