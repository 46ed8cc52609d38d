/// What is happening on the rig now. Never saved.
package struct RigStatus: Codable, Sendable {
  package var version: String
  package var name: String
  package var started: WallTime
  package var clock: ClockSync
  package var armed: Bool
  /// Present while a take is being recorded.
  package var recording: RecordingStatus?
  package var storage: StorageStatus
  package var cameras: [CameraDescription]
  package var microphones: [MicrophoneDescription] = []
  /// What a person should look at, each with its cure; empty when all is well.
  package var troubles: [String]
  /// The same for programs; absent when all is well.
  package var problems: [RigProblem]?
  /// Where monitors in the network find it; absent where it is not in the network.
  package var network: NetworkStatus?
  /// Also while nothing happens: it says that there is a shutter.
  package var photo: PhotoStatus?
  /// While one runs.
  package var timelapse: TimelapseStatus?
  /// Absent where the rig has none.
  package var torches: [TorchDescription]?

  package init(
    version: String, name: String, started: WallTime, clock: ClockSync, armed: Bool, recording: RecordingStatus?,
    storage: StorageStatus, cameras: [CameraDescription], troubles: [String]
  ) {
    self.version = version
    self.name = name
    self.started = started
    self.clock = clock
    self.armed = armed
    self.recording = recording
    self.storage = storage
    self.cameras = cameras
    self.troubles = troubles
  }

  package mutating func add(_ found: [RigProblem]) {
    guard !found.isEmpty else { return }
    troubles += found.map(\.text)
    problems = (problems ?? []) + found
  }
}

package struct NetworkStatus: Hashable, Codable, Sendable {
  package var urls: [String]
  /// Of the rig's authority: what a monitor compares before it trusts the rig.
  package var fingerprint: String
  package var problems: [String]
  /// Absent where the rig is not to be found by itself.
  package var announcement: AnnouncementStatus?

  package init(
    urls: [String], fingerprint: String, problems: [String] = [], announcement: AnnouncementStatus? = nil
  ) {
    self.urls = urls
    self.fingerprint = fingerprint
    self.problems = problems
    self.announcement = announcement
  }
}

package struct RecordingStatus: Codable, Sendable {
  package var take: String
  package var name: String?
  package var started: WallTime
  package var seconds: Double
  package var stopping: Bool
  package var cameras: [RecordingCameraStatus]

  package init(
    take: String, name: String?, started: WallTime, seconds: Double, stopping: Bool, cameras: [RecordingCameraStatus]
  ) {
    self.take = take
    self.name = name
    self.started = started
    self.seconds = seconds
    self.stopping = stopping
    self.cameras = cameras
  }
}

package struct RecordingCameraStatus: Codable, Sendable {
  package var camera: CameraID
  package var name: String
  package var clips: Int
  package var frames: UInt64
  package var bytes: UInt64
  package var lost: UInt64
  /// The camera delivers nothing just now (unplugged or stalled).
  package var inGap: Bool

  package init(
    camera: CameraID, name: String, clips: Int, frames: UInt64, bytes: UInt64, lost: UInt64, inGap: Bool
  ) {
    self.camera = camera
    self.name = name
    self.clips = clips
    self.frames = frames
    self.bytes = bytes
    self.lost = lost
    self.inGap = inGap
  }
}

package struct StorageStatus: Codable, Sendable {
  package var directory: String
  /// Absent where the volume cannot be asked; the message then says why.
  package var freeBytes: Int64?
  package var reserveBytes: Int64
  /// How long the present recording can go on, or one with the last measured byte rate.
  package var secondsLeft: Double?
  /// Empty when all is well.
  package var message: String

  package init(
    directory: String, freeBytes: Int64?, reserveBytes: Int64, secondsLeft: Double?, message: String
  ) {
    self.directory = directory
    self.freeBytes = freeBytes
    self.reserveBytes = reserveBytes
    self.secondsLeft = secondsLeft
    self.message = message
  }
}

package struct VersionInfo: Codable, Sendable {
  package var version: String
  /// Of the messages on the control socket.
  package var protocolVersion: Int
  package init(version: String, protocolVersion: Int) {
    self.version = version
    self.protocolVersion = protocolVersion
  }
}
