/// `take.json`: what a take's folder holds. Layout and promises: docs/ref/take-folder.md.
package struct TakeManifest: Hashable, Codable, Sendable {
  /// Raised when a reader of the former layout would go wrong.
  package var layout: Int
  /// The folder's name.
  package var id: String
  package var name: String?
  package var state: TakeState
  /// Record was pressed.
  package var start: ClockAnchor
  /// The last picture is in; absent while recording, and after a crash.
  package var end: ClockAnchor?
  package var stop: TakeStop?
  package var cameras: [TakeCameraRecord]
  /// `camrig`: the version that recorded it; `repair`: the one that repaired it.
  package var versions: [String: String]

  package init(
    id: String, name: String? = nil, state: TakeState, start: ClockAnchor, end: ClockAnchor? = nil,
    stop: TakeStop? = nil, cameras: [TakeCameraRecord] = [], versions: [String: String] = [:]
  ) {
    layout = 1
    self.id = id
    self.name = name
    self.state = state
    self.start = start
    self.end = end
    self.stop = stop
    self.cameras = cameras
    self.versions = versions
  }
}

package enum TakeState: String, Codable, CaseIterable, Sendable {
  case recording
  case stopping
  case finished
  /// A crash or power cut ended it; the next start put it in order.
  case repaired
  /// A clip could not be finished (its volume hangs or failed); repair will be tried at the next start.
  case unfinished

  /// It is being written.
  package var isUnderWay: Bool { self == .recording || self == .stopping }
}

package struct TakeStop: Hashable, Codable, Sendable {
  package enum Cause: String, Codable, CaseIterable, Sendable {
    case requested, shutdown, diskLow, diskFull, diskReadOnly, diskMissing, diskFailed
    /// The daemon or the machine went down.
    case crash
  }
  package var cause: Cause
  /// For people: what happened and what to do.
  package var message: String

  package init(_ cause: Cause, _ message: String) {
    self.cause = cause
    self.message = message
  }
}
