import CamrigModel
import Capture
import DaemonKit
import Recording

extension Rig {
  static func photoTaker(
    _ parts: Parts, _ options: RecordingOptions, _ catalog: Catalog, _ events: EventBus
  ) -> PhotoTaker {
    let (log, name) = (parts.log, parts.configuration.rig.name)
    return PhotoTaker(
      options: options, clock: parts.clock, catalog: catalog,
      rigName: { name.isEmpty ? HostName.current : name }
    ) { event in
      log.note(event)
      events.publish(.photo(event))
    }
  }

  /// Answered as soon as the shot is under way; the rest is told by events.
  package func takePhoto(_ request: PhotoTakeRequest) async throws(RigError) -> ShotStarted {
    let cameras = try await photoCameras(request.cameras)
    let isRecording = await !recorder.isIdle
    let flash = request.flash == .on ? try await photoFlash(for: cameras) : nil
    do throws(PhotoError) {
      return try await photos.take(PhotoWish(request), cameras: cameras, isRecording: isRecording, flash: flash)
    } catch {
      throw RigError(error)
    }
  }

  private func photoFlash(for cameras: [PhotoCamera]) async throws(RigError) -> PhotoFlash {
    let flash = await torchDesk.flash(for: Set(cameras.map(\.id)))
    guard !flash.torches.isEmpty else {
      throw RigError(
        .torchNone,
        "No light belongs to these cameras or to the rig, so there is no flash. See: camrigctl torch")
    }
    let lit = Guarded<TorchFlash.Lit?>(nil)
    return PhotoFlash(
      on: { [torchDesk] in
        let now = await torchDesk.light(flash)
        lit.withLock { $0 = now }
        return PhotoFlash.Lit(cameras: now.cameras, failures: now.failures)
      },
      restore: { [torchDesk] in
        let now = lit.withLock { lit in
          defer { lit = nil }
          return lit
        }
        if let now { await torchDesk.restore(now) }
      })
  }

  package func cancelPhoto(_ shot: String?) async throws(RigError) -> ShotReference {
    do { return ShotReference(shot: try await photos.cancel(shot)) } catch { throw RigError(error) }
  }

  /// Newest first; as many as fit into an answer.
  package func shots(limit: Int) async -> [ShotRecord] {
    var room = Self.mostListedPhotos
    let shots = await shelf.shots(limit: max(1, min(limit, 10_000)))
    return Array(
      shots.prefix { shot in
        defer { room -= shot.photos.count + 1 }
        return room > 0
      })
  }

  /// At some 200 bytes each they stay well below the longest answer.
  private static let mostListedPhotos = 3000

  /// A photo by the names in its address.
  package func photoFile(_ shot: String, _ file: String) async throws(RigError) -> MediaFile {
    guard MediaDirectory.isTakeName(shot), MediaDirectory.isTakeName(file), file.hasSuffix(".jpg") else {
      throw RigError(.shotUnknown, "There is no photo \(shot)/\(file).")
    }
    do throws(RecordingError) {
      let home = try await shelf.shelf(ofShot: shot)
      return MediaFile(path: ShotFolder(shot, in: home.media).path + "/" + file, volume: home.volume)
    } catch {
      throw RigError(error)
    }
  }

  static func photoCamera(
    _ registry: Cameras, _ id: CameraID, _ demand: CameraDemand
  ) async -> PhotoCamera? {
    guard let stream = await registry.camera(id), let camera = await registry.description(id) else { return nil }
    let name = camera.name
    let controls = PhotoControls(stream.controls)
    return PhotoCamera(
      id: id, name: name, hub: stream.hub, device: camera.device,
      parameterSets: { stream.parameterSets }, requestKeyframe: { stream.requestKeyframe() },
      demand: {
        controls.open()
        stream.demand(demand)
      },
      release: {
        stream.release(demand)
        controls.close()
      },
      problem: {
        let status = stream.status
        return switch status.state {
        case .offline: "\(name) is not plugged in."
        case .disabled: "\(name) is disabled."
        case .idle, .starting, .streaming, .stalled, .busy, .failed: status.problem
        }
      }, setStill: { stream.setStill($0) }, exposure: { controls.exposure() },
      granted: { stream.status.granted })
  }

  private func photoCameras(_ names: [String]?) async throws(RigError) -> [PhotoCamera] {
    var cameras: [PhotoCamera] = []
    let chosen = try await chosenCameras(names)
    // What somebody is just turning shows in the photo as it was wished last.
    await registry.endBursts(chosen.map(\.id))
    for camera in chosen {
      guard var found = await Self.photoCamera(registry, camera.id, .photo) else { continue }
      found.take = { [recorder, id = camera.id] in
        recorder.manifest.flatMap { $0.cameras.contains { $0.id == id } ? $0.id : nil }
      }
      cameras.append(found)
    }
    return cameras
  }
}

extension Log {
  fileprivate func note(_ event: PhotoEvent) {
    switch event {
    case .countdown, .taken: break
    case .failed(let failure):
      warning("shot \(failure.shot): \(failure.message)", .cameraFailed, camera: failure.camera)
    case .finished(let shot):
      let count = shot.photos.count
      info("shot \(shot.shot) ended with \(count) \(count == 1 ? "photo" : "photos")")
    }
  }
}

extension RigError {
  init(_ error: PhotoError) {
    switch error {
    case .impossible: self.init(.paramsInvalid, error.description)
    case .noCameras: self.init(.cameraNone, error.description)
    case .busy, .tooMany: self.init(.photoRefused, error.description)
    case .stillWhileRecording: self.init(.recordingRunning, error.description)
    case .stopping: self.init(.stopping, error.description)
    case .notRunning: self.init(.shotUnknown, error.description)
    case .volume(let cause): self = RigError(cause)
    }
  }
}
