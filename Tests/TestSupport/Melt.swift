import CamrigModel

/// The engine of Kdenlive, as a player that asks more of a file than most.
package enum Melt {
  /// The luma of each picture that it plays at 30 a second, one after the other, and how melt ended.
  package static func luma(_ path: String, size: PixelSize) -> Program {
    let directory = TemporaryDirectory()
    let profile = "\(directory.path)/profile"
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
    return Program(status: run.status, output: decoded.output, errors: run.errors)
  }
}
