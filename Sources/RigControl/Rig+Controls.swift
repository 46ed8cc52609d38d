import CamrigModel
import Capture

/// The cameras' controls.
extension Rig {
  /// In the driver's order, read anew. A test pattern has none.
  package func controls(_ text: String) async throws(RigError) -> [ControlDescription] {
    let (controls, name) = try await controls(of: text)
    do { return try await controls.list() } catch { throw RigError(controls: error, of: name) }
  }

  /// Also while recording: controls break no file.
  package func setControls(_ request: ControlSetRequest) async throws(RigError) -> ControlOutcome {
    try await beginSettingControls(request).outcome()
  }

  package func resetControls(_ request: ControlResetRequest) async throws(RigError) -> ControlOutcome {
    let (controls, name) = try await controls(of: request.camera)
    do { return try await controls.reset(request.controls) } catch { throw RigError(controls: error, of: name) }
  }

  /// What holds now and can be given to another camera.
  package func exportControls(_ text: String) async throws(RigError) -> ControlExport {
    let camera = try await self.camera(text)
    let controls = try await self.controls(camera.id.rawValue)
    let values = controls.filter { $0.isKept && $0.flags.isDisjoint(with: [.inactive, .volatile]) }
      .compactMap { control in control.value.map { (control.key, $0) } }
    return ControlExport(
      camera: ControlExport.Origin(id: camera.id, name: camera.name),
      controls: Dictionary(values) { first, _ in first })
  }

  package func importControls(_ request: ControlImportRequest) async throws(RigError) -> ControlOutcome {
    try await setControls(ControlSetRequest(camera: request.camera, values: request.controls))
  }

  func controls(of text: String) async throws(RigError) -> (CameraControls, name: String) {
    let id = try await find(text)
    let camera = try await described(id)
    guard let stream = await registry.camera(id) else {
      throw RigError(.cameraUnknown, "\(id) was forgotten just now.")
    }
    return (stream.controls, camera.name)
  }

  // MARK: Who watches

  /// All changes are told until nobody holds the watch any more.
  package func watchControls() async -> ControlWatch {
    controlWatchers += 1
    await keepWatching()
    return ControlWatch(self)
  }

  func endControlWatch() async {
    controlWatchers -= 1
    await keepWatching()
  }

  /// Of the cameras that are plugged in, as far as they are known by now: all, a moment after somebody watches.
  package func knownControls() -> [CameraID: [ControlDescription]] { watched.compactMapValues(\.controls.known) }

  func keepWatching() async {
    var cameras: [CameraID: Camera] = [:]
    if controlWatchers > 0 {
      for camera in await registry.cameras { cameras[camera.id] = await registry.camera(camera.id) }
    }
    // From here on without a pause: whether somebody watches may have changed meanwhile.
    let wanted = controlWatchers > 0 ? cameras : [:]
    for (id, camera) in watched where wanted[id] !== camera {
      camera.controls.unwatch()
      watched[id] = nil
    }
    for (id, camera) in wanted where watched[id] == nil {
      camera.controls.watch()
      watched[id] = camera
    }
  }

  // MARK: What happens

  func take(_ news: ControlNews, of id: CameraID) async {
    switch news {
    case .changed(let controls):
      events.publish(.controls(ControlsChanged(camera: id, controls: controls)))
      if controls.contains(where: CameraLight.concerns) { await torchDesk.look() }
    case .listed:
      let camera = await registry.camera(id)
      events.publish(.controls(ControlsChanged(camera: id, controls: camera?.controls.known ?? [])))
      if camera?.controls.lights.isEmpty == false { await torchDesk.look() }
    case .chosen(let controls): await registry.choose(controls, of: id)
    case .forgotten(let names): await registry.forgetControls(names, of: id)
    }
  }
}

extension RigError {
  init(controls trouble: ControlTrouble, of name: String) {
    let code: RigErrorCode =
      switch trouble {
      case .offline: .cameraOffline
      case .disabled: .cameraDisabled
      case .stopping: .stopping
      case .silent: .cameraSilent
      case .device: .cameraFailed
      }
    self.init(code, "\(name): \(trouble)")
  }
}
