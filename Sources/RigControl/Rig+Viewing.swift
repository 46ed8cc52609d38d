import CamrigModel
import Recording
import Streaming

/// What monitors look at: live pictures, and the files of takes.
extension Rig {
  /// What a preview needs of the camera that `text` (an ID or a name) means. It stays good over unplugging.
  package func previewCamera(_ text: String) async throws(RigError) -> (id: CameraID, camera: PreviewCamera) {
    let id = try await find(text)
    guard let stream = await registry.camera(id) else {
      throw RigError(.cameraUnknown, "\(id) was forgotten just now.")
    }
    let camera = PreviewCamera(
      hub: stream.hub, parameterSets: { stream.parameterSets }, requestKeyframe: { stream.requestKeyframe() },
      demand: { stream.demand(.preview) }, release: { stream.release(.preview) })
    return (id, camera)
  }

  /// How long `settle` takes at most.
  package static let settlingLimit = CameraSettling.longest

  /// Returns when this camera shows what it sees: at once if it has been running, else when its exposure has settled.
  /// - Returns: why no picture comes; nil as long as one may.
  package func settle(_ id: CameraID) async -> String? {
    guard let camera = await Self.photoCamera(registry, id, .preview) else { return "This camera was forgotten." }
    return await settling.settle(camera)
  }

  /// Why a camera shows nothing just now, in words; nil while it does or soon will.
  package func whyDark(_ id: CameraID) async -> RigError? {
    guard let camera = await registry.description(id) else {
      return RigError(.cameraUnknown, "This camera was forgotten.")
    }
    guard let code = camera.state.whyDark else { return nil }
    return RigError(
      code, camera.message.isEmpty ? "\(camera.name) is \(camera.state.rawValue)." : camera.message)
  }

  /// A file of a take, by the name that stands in its manifest; a manifest is a file that others may have written.
  /// - Parameter playable: a clip whose index is there.
  package func takeFile(_ take: String, _ file: String, playable: Bool = false) async throws(RigError) -> MediaFile {
    let id: String
    do { id = try await shelf.id(take) } catch { throw RigError(error) }
    let manifest = try await self.take(id)
    let clip = manifest.cameras.flatMap(\.clips).first { $0.file == file }
    guard clip != nil || file == ManifestFile.name, !file.contains("/"), file != ".." else {
      throw RigError(.takeUnknown, "The take \(id) has no file \(file).")
    }
    if playable, clip?.state != .finished, clip?.state != .repaired {
      throw RigError(.takeOpen, "\(file) can be played once it is finished.")
    }
    do throws(RecordingError) {
      let home = try await shelf.shelf(of: id)
      return MediaFile(path: home.media.folder(of: id) + "/" + file, volume: home.volume)
    } catch {
      throw RigError(error)
    }
  }
}

extension CameraState {
  fileprivate var whyDark: RigErrorCode? {
    switch self {
    case .idle, .starting, .streaming: nil
    case .offline: .cameraOffline
    case .stalled: .cameraSilent
    case .busy: .cameraBusy
    case .failed: .cameraFailed
    case .disabled: .cameraDisabled
    }
  }
}
