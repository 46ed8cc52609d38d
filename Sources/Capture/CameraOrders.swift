import CamrigModel

/// What a running session is to do, asked whenever it is woken.
struct CameraOrders {
  /// Set: stop now.
  var end: SessionEnd?
  /// Nobody wants it; stop then.
  var closeAt: MediaTime?
  var wantsKeyframe = false
}

/// What a running session tells of itself.
enum SessionReport: Hashable, Sendable {
  /// Pictures come.
  case streaming
  case stalled
  /// Many pictures are spoilt; nil: no longer.
  case spoilt(percent: Int?)
  case gotKeyframeRefused
}
