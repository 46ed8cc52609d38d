import CamrigModel
import Codec
import Frames

/// A camera as a take sees it; what stands behind it is the rig's affair.
package struct TakeCamera: Sendable {
  package var id: CameraID
  package var name: String
  package var hub: FrameHub
  package var facts: DeviceDescription?
  /// H.264 parameter sets that the camera has sent so far, where it sends them only at the start of its stream.
  package var parameterSets: @Sendable () -> H264ParameterSets?
  /// Asks for a keyframe by control; must not block for long.
  package var requestKeyframe: @Sendable () -> Void
  /// A track each in its clips, in this order. One microphone may serve several cameras.
  package var microphones: [TakeMicrophone]
  /// Wants the camera open, and no more.
  package var demand: @Sendable () async -> Void
  package var release: @Sendable () async -> Void
  /// Why no picture comes, in words with the cure; nil if the camera knows of nothing.
  package var problem: @Sendable () async -> String?

  package init(
    id: CameraID, name: String, hub: FrameHub, facts: DeviceDescription? = nil,
    parameterSets: @escaping @Sendable () -> H264ParameterSets? = { nil },
    requestKeyframe: @escaping @Sendable () -> Void = {}, microphones: [TakeMicrophone] = [],
    demand: @escaping @Sendable () async -> Void = {},
    release: @escaping @Sendable () async -> Void = {}, problem: @escaping @Sendable () async -> String? = { nil }
  ) {
    self.id = id
    self.name = name
    self.hub = hub
    self.facts = facts
    self.parameterSets = parameterSets
    self.requestKeyframe = requestKeyframe
    self.microphones = microphones
    self.demand = demand
    self.release = release
    self.problem = problem
  }
}

extension [TakeCamera] {
  /// Each once.
  var microphones: [TakeMicrophone] {
    var found: [TakeMicrophone] = []
    for microphone in flatMap(\.microphones) where !found.contains(where: { $0.id == microphone.id }) {
      found.append(microphone)
    }
    return found
  }
}
