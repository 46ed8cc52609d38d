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
    let directory = TemporaryDirectory()
    let profile = "\(directory.path)/profile"
    let size = Pictures.size
    let text = """
      description=test
      frame_rate_num=30
      frame_rate_den=1
      width=\(size.width)
      height=\(size.height)
      progressive=1
      sample_aspect_num=1
      sample_aspect_den=1
      display_aspect_num=\(size.width)
      display_aspect_den=\(size.height)
      colorspace=601

      """
    FileBytes.write(Array(text.utf8), to: profile)
    let out = "\(directory.path)/out.nut"
    let arguments = [
      "-profile", profile, path, "-silent", "-consumer", "avformat:\(out)", "vcodec=rawvideo", "pix_fmt=yuv420p",
      "an=1", "real_time=-1",
    ]
    var run: Program
    var decoded: Program
    var tries = 0
    // melt 7.12 crashes, hangs, or shows nothing at all in one run of ten or so, whatever the file. What it does show
    // is not asked again.
    repeat {
      tries += 1
      run = Program.run("melt", arguments, seconds: 20)
      decoded = Program.run(
        "ffmpeg",
        ["-v", "error", "-i", out, "-f", "rawvideo", "-pix_fmt", "gray", "-fps_mode", "passthrough", "-"])
    } while tries < 5 && (run.status != 0 || decoded.output.isEmpty)
    return (numbers(decoded.output), run.status, run.errors)
  }

  private static func numbers(_ pictures: [UInt8]) -> [Int] {
    stride(from: 0, to: pictures.count - pictures.count % Pictures.size.area, by: Pictures.size.area).map {
      Pictures.number(in: pictures[$0..<$0 + Pictures.size.area])
    }
  }
}
