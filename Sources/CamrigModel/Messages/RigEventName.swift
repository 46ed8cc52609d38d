/// The notifications that a monitor gets after `rig.watch`, by their names on the wire.
package enum RigEventName: String, CaseIterable, Sendable {
  /// `EventsLost`, in the place of the events that this monitor was too slow for
  case eventsLost = "rig.events-lost"
  /// `StateChange`, to those alone who called `state.watch`
  case stateChanged = "state.changed"
  /// `SessionSelection`, to a connection that called `session.get`
  case sessionChanged = "session.changed"
  /// `CameraDescription`, whole, whenever something of it changes (its counters alone do not count).
  case cameraChanged = "camera.changed"
  /// `CameraReference`
  case cameraForgotten = "camera.forgotten"
  /// `MicrophoneDescription`, whole, whenever something of it changes
  case microphoneChanged = "microphone.changed"
  /// `MicrophoneReference`
  case microphoneForgotten = "microphone.forgotten"
  /// `MicrophoneLevels`, ten times a second to those alone who called `microphone.meter`
  case microphoneLevels = "microphone.levels"
  /// `TorchesChange`
  case torchChanged = "torch.changed"
  /// `RecordingArmRequest`
  case recordingArmed = "recording.armed"
  /// `TakeStarted`
  case recordingStarted = "recording.started"
  /// `TakeClipEvent`
  case recordingClip = "recording.clip"
  /// `TakeProgress`, after each sync: about once a second and camera
  case recordingProgress = "recording.progress"
  /// `TakeGapEvent`
  case recordingGapOpened = "recording.gap-opened"
  /// `TakeGapEvent`
  case recordingGapClosed = "recording.gap-closed"
  /// `TakeLossEvent`, at most once a second and camera
  case recordingLoss = "recording.loss"
  /// `TakeStopping`
  case recordingStopping = "recording.stopping"
  /// `TakeManifest`
  case recordingStopped = "recording.stopped"
  /// `TakeTrouble`
  case recordingTrouble = "recording.trouble"
  /// `TakeRepairReport`
  case takeRepaired = "take.repaired"
  /// `PhotoCountdown`, each second of a self-timer
  case photoCountdown = "photo.countdown"
  /// `PhotoTaken`
  case photoTaken = "photo.taken"
  /// `PhotoFailed`
  case photoFailed = "photo.failed"
  /// `ShotRecord`: no further picture of the shot comes; without photos if it was cancelled or failed
  case photoFinished = "photo.finished"
  /// `TimelapseRecord`, also of one that goes on after a restart
  case timelapseStarted = "timelapse.started"
  /// `TimelapseStatus`, after each moment at which pictures were due
  case timelapseAdvanced = "timelapse.advanced"
  /// `TimelapseRecord`
  case timelapseStopped = "timelapse.stopped"
}

package struct EventsLost: Codable, Sendable {
  package var lost: UInt64
  package init(lost: UInt64) { self.lost = lost }
}

/// From the revision before to this one.
package struct StateChange: Codable, Sendable {
  package var revision: Int64
  /// A JSON merge patch (RFC 7396).
  package var patch: JSONValue

  package init(revision: Int64, patch: JSONValue) {
    self.revision = revision
    self.patch = patch
  }
}

/// A take is being ended.
package struct TakeStopping: Codable, Sendable {
  package var take: String
  package var stop: TakeStop
  package init(take: String, stop: TakeStop) {
    self.take = take
    self.stop = stop
  }
}
