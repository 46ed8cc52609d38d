import Codec
import Frames

/// A camera as its preview sees it; what stands behind it is the rig's affair. The closures must return at once and
/// may be called from any thread.
package struct PreviewCamera: Sendable {
  package var hub: FrameHub
  /// H.264 parameter sets that the camera has sent so far, where it sends them only at the start of its stream.
  package var parameterSets: @Sendable () -> H264ParameterSets?
  /// Asks an H.264 camera for a keyframe.
  package var requestKeyframe: @Sendable () -> Void
  /// Wants the camera open: called once for each viewer that comes, and `release` once for each that goes.
  package var demand: @Sendable () -> Void
  package var release: @Sendable () -> Void

  package init(
    hub: FrameHub, parameterSets: @escaping @Sendable () -> H264ParameterSets? = { nil },
    requestKeyframe: @escaping @Sendable () -> Void = {}, demand: @escaping @Sendable () -> Void = {},
    release: @escaping @Sendable () -> Void = {}
  ) {
    self.hub = hub
    self.parameterSets = parameterSets
    self.requestKeyframe = requestKeyframe
    self.demand = demand
    self.release = release
  }
}
