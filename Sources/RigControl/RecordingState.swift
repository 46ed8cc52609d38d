import CamrigModel

/// What the running take looks like, put together from its events.
package struct RecordingState: Sendable {
  private(set) package var take: TakeStarted?
  private var stopping = false
  private var cameras: [CameraID: RecordingCameraStatus] = [:]
  private var byteRates: [CameraID: Double] = [:]
  private var lastProgress: [CameraID: (time: MediaTime, bytes: UInt64)] = [:]

  /// Whose events the rest is made of. The first clips are told before the take is.
  private var id: String?

  package init() {}

  package mutating func apply(_ event: TakeEvent) {
    guard concerns(event) else { return }
    switch event {
    case .started(let started):
      take = started
      for camera in started.cameras {
        cameras[camera.id, default: Self.unknown(camera.id)].name = camera.name
        if camera.problem != nil, cameras[camera.id]?.clips == 0 { cameras[camera.id]?.inGap = true }
      }
    case .clipOpened(let event):
      cameras[event.camera, default: Self.unknown(event.camera)].clips = event.clip.number
      cameras[event.camera]?.inGap = false
    case .progress(let progress):
      cameras[progress.camera]?.frames = progress.written
      cameras[progress.camera]?.bytes = progress.bytes
      cameras[progress.camera]?.lost = progress.lost
      measure(progress)
    case .gapOpened(let event): cameras[event.camera]?.inGap = true
    case .gapClosed(let event): cameras[event.camera]?.inGap = false
    case .lossNoticed(let event): cameras[event.camera]?.lost = event.total.values.reduce(0, &+)
    case .stopping: stopping = true
    case .stopped: self = RecordingState()
    case .trouble: break
    }
  }

  /// False for a take before: of a writer that was left to itself. What came of a take that did not begin is forgotten.
  private mutating func concerns(_ event: TakeEvent) -> Bool {
    let id = event.take
    if id == self.id { return true }
    switch event {
    case .started: break
    case .clipOpened where take == nil: break
    case .clipOpened, .progress, .gapOpened, .gapClosed, .lossNoticed, .stopping, .stopped, .trouble: return false
    }
    self = RecordingState()
    self.id = id
    return true
  }

  /// Bytes a second of all cameras together; nil before the first can be told.
  package var bytesPerSecond: Double? { byteRates.isEmpty ? nil : byteRates.values.reduce(0, +) }

  package func status(now: MediaTime) -> RecordingStatus? {
    guard let take else { return nil }
    return RecordingStatus(
      take: take.take, name: take.name, started: take.start.wall, seconds: (now - take.start.media).inSeconds,
      stopping: stopping, cameras: cameras.values.sorted { $0.name < $1.name })
  }

  private static func unknown(_ id: CameraID) -> RecordingCameraStatus {
    RecordingCameraStatus(camera: id, name: id.rawValue, clips: 0, frames: 0, bytes: 0, lost: 0, inGap: false)
  }

  private mutating func measure(_ progress: TakeProgress) {
    defer { lastProgress[progress.camera] = (progress.capturedTime, progress.bytes) }
    guard let last = lastProgress[progress.camera], progress.bytes > last.bytes else { return }
    let seconds = (progress.capturedTime - last.time).inSeconds
    guard seconds > 0.1 else { return }
    let rate = Double(progress.bytes - last.bytes) / seconds
    // Smoothed over some seconds: scenes change, and the time left must not jump about.
    byteRates[progress.camera] = byteRates[progress.camera].map { $0 * 0.8 + rate * 0.2 } ?? rate
  }
}
