import CamrigModel
import Frames
import Movie

/// JPEGs as the camera gives them.
final class JPEGPassthrough: PictureMaker {
  let format: VideoFormat
  private var size: PixelSize

  init(format: VideoFormat) {
    self.format = format
    size = format.size
  }

  func take(_ frame: Frame) -> [MadePicture] {
    size = frame.size
    return [
      .picture(
        Picture(
          run: frame.run, sequence: frame.sequence, time: frame.presentationTime, isKeyframe: true,
          payload: .whole(frame), form: PictureForm(format: .mjpeg, size: frame.size, parameters: 0)))
    ]
  }

  func flush() -> [MadePicture] { [] }
  var isHolding: Bool { false }
  func requestKeyframe() {}
  var media: TrackMedia? { .mjpeg(size) }
  var container: MovieContainer { .quickTime }
  var encoderName: String? { nil }
}
