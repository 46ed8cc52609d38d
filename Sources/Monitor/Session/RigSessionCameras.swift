import CamrigModel
import Frames
import RigControl
import Streaming

/// The rig's own cameras.
struct RigSessionCameras: SessionCameras {
  let rig: Rig
  let board: StateBoard

  func selectable(_ text: String) async throws(RPCError) -> any SessionCamera {
    do throws(RigError) {
      let camera = try await rig.selectableCamera(text)
      return HubCamera(id: camera.id, camera: camera.camera)
    } catch {
      throw RPCError(error.code, error.message)
    }
  }

  func description(_ id: CameraID) async -> CameraDescription? { try? await rig.camera(id.rawValue) }

  func whyDark(_ id: CameraID) async -> String? { await rig.whyDark(id)?.message }

  func forgotten() -> AsyncStream<CameraID> {
    let events = rig.events.subscribe()
    return AsyncStream {
      while let event = await events.next() {
        if case .cameraForgotten(let id) = event { return id }
      }
      return nil
    }
  }

  func features() async -> [String] {
    // A state that cannot be told is in the log already.
    SessionFeatures.words((try? await board.look()) ?? [:])
  }
}

private struct HubCamera: SessionCamera {
  let id: CameraID
  let camera: PreviewCamera

  func hold(_ picture: @escaping @Sendable () -> Void) -> any CameraHold { HubHold(camera, picture) }
}

/// A camera that somebody has selected. It listens until the first picture, and keeps the camera open until it ends.
private final class HubHold: CameraHold {
  private let camera: PreviewCamera
  private let picture: @Sendable () -> Void
  private let tap = Guarded<FrameTap?>(nil)

  init(_ camera: PreviewCamera, _ picture: @escaping @Sendable () -> Void) {
    self.camera = camera
    self.picture = picture
    let tap = FrameTap { [weak self] item in
      if case .frame = item { self?.heard() }
    }
    self.tap.withLock { $0 = tap }
    camera.hub.add(tap)
    camera.demand()
  }

  private func heard() {
    guard let tap = tap.withLock({ $0.take() }) else { return }
    camera.hub.remove(tap)
    picture()
  }

  func letGo() {
    if let tap = tap.withLock({ $0.take() }) { camera.hub.remove(tap) }
    camera.release()
  }
}
