import CamrigModel
import Capture
import DaemonKit
import Recording

extension Rig {
  static func timelapseTaker(
    _ parts: Parts, _ options: RecordingOptions, _ registry: Cameras, _ photos: PhotoTaker, _ events: EventBus
  ) -> TimelapseTaker {
    let (log, name) = (parts.log, parts.configuration.rig.name)
    return TimelapseTaker(
      options: options, clock: parts.clock, rigName: { name.isEmpty ? HostName.current : name },
      camera: { await photoCamera(registry, $0, .timelapse) }, isUndisturbed: { await photos.stillsEnd() },
      observer: { event in
        log.note(event)
        events.publish(.timelapse(event))
      },
      trouble: { camera, message in log.warning("timelapse: \(message)", .cameraFailed, camera: camera) })
  }

  package func startTimelapse(_ request: TimelapseStartRequest) async throws(RigError) -> TimelapseStarted {
    let cameras = try await chosenCameras(request.cameras).map { ($0.id, $0.name) }
    do { return try await timelapses.start(cameras, interval: request.intervalSeconds) } catch { throw RigError(error) }
  }

  package func stopTimelapse() async throws(RigError) -> TimelapseRecord {
    do { return try await timelapses.stop() } catch { throw RigError(error) }
  }

  package func timelapses(_ request: TimelapseListRequest) async throws(RigError) -> [TimelapseRecord] {
    // Whoever asks does not wait for a volume that hangs, and it is asked by one thread.
    do { try await shelf.first.answers() } catch { throw RigError(error) }
    guard let id = request.timelapse else {
      return await timelapses.list(limit: max(1, min(request.limit ?? 100, 1000)))
    }
    do { return [try await timelapses.record(id)] } catch { throw RigError(error) }
  }

  package func makeTimelapseMovie(_ request: TimelapseMovieRequest) async throws(RigError) -> TimelapseMovies {
    do {
      return try await timelapses.movie(request.timelapse, rate: request.rate ?? FrameRate(25))
    } catch { throw RigError(error) }
  }

  /// A picture or a movie of a timelapse, by the names in its address.
  package func timelapseFile(_ timelapse: String, _ file: String) throws(RigError) -> MediaFile {
    guard MediaDirectory.isTakeName(timelapse), MediaDirectory.isTakeName(file),
      file.hasSuffix(".jpg") || file.hasSuffix(".mov")
    else { throw RigError(.timelapseUnknown, "There is no \(timelapse)/\(file) of a timelapse.") }
    let home = shelf.first
    return MediaFile(path: TimelapseFolder(timelapse, in: home.media).path + "/" + file, volume: home.volume)
  }
}

extension Log {
  fileprivate func note(_ event: TimelapseEvent) {
    switch event {
    case .advanced: break
    case .started(let record):
      notice("timelapse \(record.timelapse) runs, a picture each \(record.intervalSeconds) s")
    case .stopped(let record):
      let (pictures, missed) = record.cameras.reduce(into: (0, 0)) { sum, camera in
        sum.0 += camera.pictures
        sum.1 += camera.missed
      }
      notice(
        "timelapse \(record.timelapse) ended with \(pictures) pictures, \(missed) missed: \(record.message ?? "")")
    }
  }
}

extension RigError {
  fileprivate init(_ error: TimelapseError) {
    switch error {
    case .interval: self.init(.paramsInvalid, error.description)
    case .noCameras: self.init(.cameraNone, error.description)
    case .running, .noPictures, .sizes, .noJPEG, .movie: self.init(.timelapseRefused, error.description)
    case .notRunning, .unknown, .noneYet: self.init(.timelapseUnknown, error.description)
    case .stopping: self.init(.stopping, error.description)
    case .volume(let cause): self = RigError(cause)
    case .firstVolume(let cause): self.init(RigError(cause).code, error.description)
    }
  }
}
