import CamrigModel
import Codec

/// What a running session is to do, asked whenever it is woken.
struct CameraOrders {
  /// Set: stop now.
  var end: SessionEnd?
  /// Nobody wants it; stop then.
  var closeAt: MediaTime?
  var wantsKeyframe = false
  /// How its pictures are to be seen.
  var picture = PictureSetting()
}

/// What a running session tells of itself.
enum SessionReport: Hashable, Sendable {
  /// Pictures come.
  case streaming
  case stalled
  /// Many pictures are spoilt; nil: no longer.
  case spoilt(percent: Int?)
  case gotKeyframeRefused
  /// Nobody could decode a recording of it; nil: after all, one can.
  case undecodable(UndecodableReason?)
  /// Far fewer pictures come than were granted; nil: no longer.
  case slow(measured: Double?)
  /// A run with pictures of another look has begun; with why they stay as they are, if they do.
  case looks(TurnRefusal?)
}

/// What a stream of H.264 lacks.
enum UndecodableReason: Hashable, Sendable, CustomStringConvertible {
  case noParameterSets, noKeyframe

  var description: String {
    let what =
      switch self {
      case .noParameterSets: "no parameter sets (SPS and PPS)"
      case .noKeyframe: "no keyframe, even when asked for one"
      }
    return "it sends \(what), without which its H.264 cannot be decoded"
  }
}
