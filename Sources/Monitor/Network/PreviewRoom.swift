import CamrigModel
import Frames
import RigControl
import Streaming

/// The previews of all cameras, each made when somebody first looks, so that all who look share one.
final class PreviewRoom: Sendable {
  private let rig: Rig
  private let previews = Guarded<[CameraID: (hub: FrameHub, preview: CameraPreview)]>([:])

  init(rig: Rig) { self.rig = rig }

  /// Of the camera that `text` (an ID or a name) means.
  func preview(of text: String) async throws(RigError) -> (id: CameraID, preview: CameraPreview) {
    let (id, camera) = try await rig.previewCamera(text)
    return (
      id,
      previews.withLock { previews in
        // A camera that was forgotten and came back is another one.
        if let known = previews[id], known.hub === camera.hub { return known.preview }
        let made = CameraPreview(camera, name: "preview")
        previews[id] = (camera.hub, made)
        return made
      }
    )
  }

  /// Of all that were looked at since the start.
  var statuses: [CameraID: PreviewStatus] { previews.withLock { $0 }.mapValues(\.preview.status) }

  /// See `Rig.settle`.
  func settle(_ id: CameraID) async -> String? { await rig.settle(id) }

  func whyDark(_ id: CameraID) async -> RigError? { await rig.whyDark(id) }

  /// The camera that a request without a name means: the only one that shows something, else the first.
  func anyCamera() async -> String? {
    let cameras = await rig.cameras()
    return (cameras.first { $0.state == .streaming } ?? cameras.first { $0.state == .idle || $0.state == .starting })?
      .id.rawValue
  }
}
