import CamrigModel
import Codec
import Frames

/// What the shutter needs of a camera.
package struct PhotoCamera: Sendable {
  package var id: CameraID
  package var name: String
  package var hub: FrameHub
  package var device: DeviceDescription?
  /// Of an H.264 camera, those it has sent so far.
  package var parameterSets: @Sendable () -> H264ParameterSets?
  package var requestKeyframe: @Sendable () -> Void
  /// Opens the camera, and keeps it open until `release`.
  package var demand: @Sendable () -> Void
  package var release: @Sendable () -> Void
  /// Why no picture comes, in words; nil as long as one may.
  package var problem: @Sendable () -> String?
  /// Another format as long as it is set; nil: the usual one.
  package var setStill: @Sendable (FormatWish?) -> Void
  package var exposure: @Sendable () -> PhotoExposure
  /// What the camera itself delivers, before its pictures are turned; nil while it is closed.
  package var granted: @Sendable () -> VideoFormat?
  /// The take that records it now; nil: none.
  package var take: @Sendable () -> String?

  package init(
    id: CameraID, name: String, hub: FrameHub, device: DeviceDescription? = nil,
    parameterSets: @escaping @Sendable () -> H264ParameterSets? = { nil },
    requestKeyframe: @escaping @Sendable () -> Void = {}, demand: @escaping @Sendable () -> Void = {},
    release: @escaping @Sendable () -> Void = {}, problem: @escaping @Sendable () -> String? = { nil },
    setStill: @escaping @Sendable (FormatWish?) -> Void = { _ in },
    exposure: @escaping @Sendable () -> PhotoExposure = { PhotoExposure() },
    granted: (@Sendable () -> VideoFormat?)? = nil, take: @escaping @Sendable () -> String? = { nil }
  ) {
    self.id = id
    self.name = name
    self.hub = hub
    self.device = device
    self.parameterSets = parameterSets
    self.requestKeyframe = requestKeyframe
    self.demand = demand
    self.release = release
    self.problem = problem
    self.setStill = setStill
    self.exposure = exposure
    self.granted = granted ?? { hub.run?.format }
    self.take = take
  }
}
