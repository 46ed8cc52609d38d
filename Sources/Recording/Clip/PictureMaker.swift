import CamrigModel
import Frames
import Movie

/// Turns a camera's frames into what goes into its movie. One for a run's format; used by one thread.
protocol PictureMaker: AnyObject {
  /// The pictures that `frame` completes, in order: one, or (from an encoder) none or several.
  func take(_ frame: Frame) -> PictureOutcome
  /// What is still under way.
  func flush() -> [Picture]
  /// The track for a clip that opens with a picture just given; nil: not known yet, so no clip can open.
  var media: TrackMedia? { get }
  var container: MovieContainer { get }
  /// Who encodes, where somebody does.
  var encoderName: String? { get }
  /// The form that a clip's record tells.
  var format: VideoFormat { get }
}

enum PictureOutcome {
  case pictures([Picture])
  case refused(LossCause, why: String)
}

/// JPEGs as the camera gives them.
final class JPEGPassthrough: PictureMaker {
  let format: VideoFormat
  private var size: PixelSize

  init(format: VideoFormat) {
    self.format = format
    size = format.size
  }

  func take(_ frame: Frame) -> PictureOutcome {
    size = frame.size
    return .pictures([
      Picture(
        run: frame.run, sequence: frame.sequence, time: frame.presentationTime, isKeyframe: true,
        payload: .whole(frame), form: PictureForm(format: .mjpeg, size: frame.size, parameters: 0))
    ])
  }

  func flush() -> [Picture] { [] }
  var media: TrackMedia? { .mjpeg(size) }
  var container: MovieContainer { .quickTime }
  var encoderName: String? { nil }
}
