/// What happens to a take, told to whoever watches. Comes from several threads; per camera in order.
package enum TakeEvent: Hashable, Sendable {
  case started(TakeStarted)
  case clipOpened(TakeClipEvent)
  /// After each sync, about once a second and camera.
  case progress(TakeProgress)
  case gapOpened(TakeGapEvent)
  case gapClosed(TakeGapEvent)
  /// At most once a second and camera.
  case lossNoticed(TakeLossEvent)
  case stopping(take: String, TakeStop)
  case stopped(TakeManifest)
  case trouble(TakeTrouble)
}

extension TakeEvent {
  /// The ID of the take.
  package var take: String {
    switch self {
    case .started(let started): started.take
    case .clipOpened(let event): event.take
    case .progress(let progress): progress.take
    case .gapOpened(let event), .gapClosed(let event): event.take
    case .lossNoticed(let event): event.take
    case .stopping(let take, _): take
    case .stopped(let manifest): manifest.id
    case .trouble(let trouble): trouble.take
    }
  }
}

package struct TakeClipEvent: Hashable, Codable, Sendable {
  package var take: String
  package var camera: CameraID
  package var clip: ClipRecord

  package init(take: String, camera: CameraID, clip: ClipRecord) {
    self.take = take
    self.camera = camera
    self.clip = clip
  }
}

package struct TakeGapEvent: Hashable, Codable, Sendable {
  package var take: String
  package var camera: CameraID
  package var gap: TakeGap

  package init(take: String, camera: CameraID, gap: TakeGap) {
    self.take = take
    self.camera = camera
    self.gap = gap
  }
}

package struct TakeLossEvent: Hashable, Codable, Sendable {
  package var take: String
  package var camera: CameraID
  /// Since the event before.
  package var lost: [LossCause: UInt64]
  /// Since the take began.
  package var total: [LossCause: UInt64]

  package init(take: String, camera: CameraID, lost: [LossCause: UInt64], total: [LossCause: UInt64]) {
    self.take = take
    self.camera = camera
    self.lost = lost
    self.total = total
  }
}

/// How far a camera's recording has come, and how much of it a power cut could not take any more.
package struct TakeProgress: Hashable, Codable, Sendable {
  package var take: String
  package var camera: CameraID
  package var clip: Int
  package var run: Int
  /// The newest picture that the recorder has seen.
  package var capturedSequence: UInt64
  package var capturedTime: MediaTime
  /// Pictures in files, of the whole take.
  package var written: UInt64
  /// The newest picture that a sync has confirmed to be on the volume.
  package var syncedRun: Int
  package var syncedSequence: UInt64
  package var syncedTime: MediaTime
  /// How long that sync took.
  package var syncSeconds: Double
  package var lost: UInt64
  package var bytes: UInt64

  package init(
    take: String, camera: CameraID, clip: Int, run: Int, capturedSequence: UInt64, capturedTime: MediaTime,
    written: UInt64, syncedRun: Int, syncedSequence: UInt64, syncedTime: MediaTime, syncSeconds: Double,
    lost: UInt64, bytes: UInt64
  ) {
    self.take = take
    self.camera = camera
    self.clip = clip
    self.run = run
    self.capturedSequence = capturedSequence
    self.capturedTime = capturedTime
    self.written = written
    self.syncedRun = syncedRun
    self.syncedSequence = syncedSequence
    self.syncedTime = syncedTime
    self.syncSeconds = syncSeconds
    self.lost = lost
    self.bytes = bytes
  }
}

/// Something that needs a person, once per change.
package struct TakeTrouble: Hashable, Codable, Sendable {
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case diskLow, diskSlow, diskFailed, noKeyframe, encoder, writerHangs, manifest
    /// A microphone gives no sound.
    case sound
  }
  package var take: String
  package var camera: CameraID?
  package var kind: Kind
  package var message: String

  package init(take: String, camera: CameraID? = nil, kind: Kind, message: String) {
    self.take = take
    self.camera = camera
    self.kind = kind
    self.message = message
  }
}
