import CamrigModel
import Capture
import DaemonKit
import Recording

extension Rig {
  /// Answered when every camera has delivered or failed. If a take runs already, that is the answer.
  package func startRecording(_ request: RecordingStartRequest) async throws(RigError) -> TakeStarted {
    let chosen = try await chosenCameras(request.cameras)
    var cameras: [TakeCamera] = []
    for camera in chosen {
      guard let stream = await registry.camera(camera.id) else { continue }
      cameras.append(
        TakeCamera(
          id: camera.id, name: camera.name, hub: stream.hub, facts: camera.device,
          parameterSets: { stream.parameterSets }, requestKeyframe: { stream.requestKeyframe() },
          microphones: await takeMicrophones(of: camera.id),
          demand: { stream.demand(.take) },
          release: { stream.release(.take) }, problem: { stream.status.problem }))
    }
    let ids = Set(cameras.map(\.id))
    let wish = TakeRequest(
      name: request.name, prerollSeconds: configuration.recording.preRoll.inSeconds)
    // From now on, not from the answer on: nobody may change a camera while the take begins.
    if recorder.manifest == nil { await registry.setRecorded(ids) }
    await photos.recordingBegins()
    let outcome: Result<TakeStarted, RecordingError>
    do {
      outcome = .success(try await recorder.start(wish, cameras: cameras))
    } catch {
      outcome = .failure(error)
    }
    await photos.recordingBegan()
    // The take may have ended already.
    await protectRecorded()
    do { return try outcome.get() } catch { throw RigError(error) }
  }

  /// The finished take; if none was running, or another one than is named, the one that is named, else the newest.
  package func stopRecording(
    _ request: RecordingStopRequest = RecordingStopRequest()
  ) async throws(RigError) -> TakeManifest {
    // The last take is the running one.
    let named = request.take == "last" ? nil : request.take
    if let take = await recorder.stop(TakeStop(.requested, "Stopped by an operator."), only: named) {
      await protectRecorded()
      return take
    }
    if let take = request.take { return try await self.take(take) }
    guard let newest = await shelf.takes(limit: 1).first else {
      throw RigError(
        .takeUnknown, "Nothing is being recorded, and there is no take yet. Begin one with: camrigctl record start")
    }
    return try await take(newest.id)
  }

  package func arm(_ armed: Bool) async -> RigStatus {
    if armed != self.armed {
      self.armed = armed
      events.publish(.armed(armed))
      await keepOpen()
    }
    return await status()
  }

  func chosenCameras(_ names: [String]?) async throws(RigError) -> [CameraDescription] {
    guard let names else {
      return await registry.cameras.filter { $0.enabled && $0.state != .offline }
    }
    var chosen: [CameraDescription] = []
    for name in names {
      let camera = try await usableCamera(name, otherwise: "record without it")
      if !chosen.contains(where: { $0.id == camera.id }) { chosen.append(camera) }
    }
    return chosen
  }

  func log(_ event: TakeEvent) {
    let log = parts.log
    switch event {
    case .started(let take):
      log.notice(
        "recording \(take.take) with \(take.cameras.map(\.name).joined(separator: ", ")) in \(take.folder)",
        .takeStarted, take: take.take)
      if let instead = take.instead { log.warning(instead, .diskFailed, take: take.take) }
      for camera in take.cameras {
        if let problem = camera.problem {
          log.warning("\(camera.name): \(problem)", .takeStarted, camera: camera.id, take: take.take)
        }
      }
    case .gapOpened(let event):
      let what = event.gap.reason == .absent ? "yet" : "any more (\(event.gap.reason.rawValue))"
      log.warning("no picture \(what); the take goes on", .cameraOffline, camera: event.camera, take: event.take)
    case .gapClosed(let event):
      let since = event.gap.reason == .absent ? "come" : "again"
      log.notice("pictures \(since)", .cameraOnline, camera: event.camera, take: event.take)
    case .lossNoticed(let event):
      let lost = event.lost.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
      log.warning("lost pictures: \(lost)", .takeLoss, camera: event.camera, take: event.take)
    case .trouble(let trouble):
      let event: LogEvent =
        switch trouble.kind {
        case .diskLow: .diskLow
        case .diskSlow: .diskSlow
        case .diskFailed, .writerHangs, .manifest: .diskFailed
        case .noKeyframe, .encoder: .cameraFailed
        case .sound: .takeLoss
        }
      log.warning(trouble.message, event, camera: trouble.camera, take: trouble.take)
    case .stopped(let take):
      let lost = take.cameras.reduce(UInt64(0)) { $0 &+ $1.lost.values.reduce(0, &+) }
      let clips = take.cameras.reduce(0) { $0 + $1.clips.count }
      log.notice(
        "\(take.id) stopped, \(clips) \(clips == 1 ? "clip" : "clips"), \(lost) \(lost == 1 ? "picture" : "pictures") lost: "
          + (take.stop?.message ?? ""), .takeStopped,
        take: take.id)
    case .stopping, .clipOpened, .progress: break
    }
  }
}

extension RigErrorCode {
  fileprivate init(_ cause: TakeStop.Cause) {
    self =
      switch cause {
      case .diskLow, .diskFull: .diskLow
      case .diskReadOnly: .diskReadOnly
      case .diskFailed: .diskFailed
      case .diskMissing, .requested, .shutdown, .crash: .recordingRefused
      }
  }
}

extension RigError {
  init(_ error: RecordingError) {
    let code: RigErrorCode =
      switch error {
      case .noCameras: .cameraNone
      case .nothingDelivered: .cameraSilent
      case .directoryMissing, .directoryForbidden: .recordingRefused
      case .volume(let stop): RigErrorCode(stop.cause)
      case .readOnlyForService, .readOnly: .diskReadOnly
      case .diskLow, .diskFull: .diskLow
      case .io, .silent: .diskFailed
      case .unknownTake, .noTakeYet: .takeUnknown
      case .brokenManifest: .takeDamaged
      case .takeRunning, .stopping: .takeOpen
      case .catalog: .internalError
      }
    self.init(code, error.description)
  }
}
