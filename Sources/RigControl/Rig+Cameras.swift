import CamrigModel
import Capture
import Settings

extension Rig {
  package func cameras() async -> [CameraDescription] { await registry.cameras }

  /// - Parameter text: an ID or a name.
  package func camera(_ text: String) async throws(RigError) -> CameraDescription {
    try await described(find(text))
  }

  package func setCamera(_ request: CameraSetRequest) async throws(RigError) -> CameraDescription {
    let id = try await find(request.camera)
    let camera = try await described(id)
    var wish = camera.wish
    for key in request.reset ?? [] {
      switch key {
      case "size": wish.size = nil
      case "rate": wish.rate = nil
      case "format": wish.pixelFormat = nil
      case "picture": break
      default: throw RigError(.paramsInvalid, "reset takes size, rate, format and picture, not \"\(key)\".")
      }
    }
    if let size = request.size { wish.size = size }
    if let rate = request.rate { wish.rate = rate }
    if let format = request.format {
      let offered = camera.device?.formats.compactMap(\.pixelFormat) ?? []
      guard offered.isEmpty || offered.contains(format) else {
        throw RigError(
          .formatUnsupported,
          "\(camera.name) has no \(format.rawValue). It offers \(offered.map(\.rawValue).joined(separator: ", ")).")
      }
      wish.pixelFormat = format
    }
    let before = await registry.picture(id)
    let picture = try Self.picture(before, request)
    try await checkPicture(picture, camera, wish)
    try checkSoundOffset(request)
    let isOnlySound = request.soundOffsetMilliseconds != nil && picture == before && wish == camera.wish
    do throws(CameraRegistryError) {
      // Each for itself: a stream that changes begins anew.
      if !isOnlySound, picture == before || wish != camera.wish { try await registry.setWish(id, wish) }
      if picture != before { try await registry.setPicture(id, picture) }
      if let offset = request.soundOffsetMilliseconds { try await registry.setSoundOffset(id, milliseconds: offset) }
    } catch {
      throw RigError(error)
    }
    return try await described(id)
  }

  private nonisolated func checkSoundOffset(_ request: CameraSetRequest) throws(RigError) {
    guard let offset = request.soundOffsetMilliseconds, !SoundOffset.isAllowed(offset) else { return }
    throw RigError(.paramsInvalid, SoundOffset.refusal(offset))
  }

  package func renameCamera(_ request: CameraRenameRequest) async throws(RigError) -> CameraDescription {
    let id = try await find(request.camera)
    do { try await registry.rename(id, request.name) } catch { throw RigError(error) }
    return try await described(id)
  }

  package func replaceCamera(_ request: CameraReplaceRequest) async throws(RigError) -> CameraDescription {
    let old = try await find(request.camera)
    let new = try await find(request.with)
    do { try await registry.replace(old, with: new) } catch { throw RigError(error) }
    return try await described(old)
  }

  package func enableCamera(_ text: String, _ enabled: Bool) async throws(RigError) -> CameraDescription {
    let id = try await find(text)
    // Nobody could switch its lights off afterwards. In a take it is refused.
    if !enabled, recorder.manifest?.cameras.contains(where: { $0.id == id }) != true { await torchDesk.off(of: id) }
    do { try await registry.setEnabled(id, enabled) } catch { throw RigError(error) }
    await keepOpen()
    return try await described(id)
  }

  package func forgetCamera(_ text: String) async throws(RigError) {
    let id = try await find(text)
    do { try await registry.forget(id) } catch { throw RigError(error) }
  }

  func find(_ text: String) async throws(RigError) -> CameraID {
    do { return try await registry.find(text) } catch { throw RigError(error) }
  }

  func described(_ id: CameraID) async throws(RigError) -> CameraDescription {
    guard let camera = await registry.description(id) else {
      throw RigError(.cameraUnknown, "\(id) was forgotten just now.")
    }
    return camera
  }
}

extension RigError {
  init(_ error: CameraRegistryError) {
    let code: RigErrorCode =
      switch error {
      case .unknown, .ambiguous: .cameraUnknown
      case .badName: .cameraNameInvalid
      case .nameTaken, .namePromised: .cameraNameTaken
      case .stillOnline, .sameCamera, .builtIn: .cameraNotReplaceable
      case .recording: .recordingRunning
      case .settings: .settingsNotSaved
      }
    self.init(code, error.description)
  }
}
