import CamrigModel
import Frames
import Movie

/// Turns a camera's frames into what goes into its movie. One for a run; used by one thread.
protocol PictureMaker: AnyObject {
  /// What `frame` completes, in order: one picture, or (from an encoder) none or several.
  func take(_ frame: Frame) -> [MadePicture]
  /// What is still under way.
  func flush() -> [MadePicture]
  /// Frames are under way: a loss that comes now stands behind them.
  var isHolding: Bool { get }
  func requestKeyframe()
  /// The track for a clip that opens with the picture just given; nil as long as no clip can open.
  var media: TrackMedia? { get }
  var container: MovieContainer { get }
  /// Who encodes, where somebody does.
  var encoderName: String? { get }
  /// What the camera delivers, for the clip's record.
  var format: VideoFormat { get }
}

enum MadePicture {
  case picture(Picture)
  /// The frame gives no picture.
  case lost(Loss)
  /// A frame gave none for this reason, worth telling once.
  case trouble(String)
}
