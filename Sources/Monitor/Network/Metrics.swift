import CamrigModel
import Streaming

/// The rig in Prometheus' text format: families in a fixed order, each with its meaning. Counters of a camera's stream or
/// of a take begin anew with it, as Prometheus expects of counters.
package struct Metrics {
  package private(set) var text = ""

  private enum Kind: String { case gauge, counter }

  package init(
    _ status: RigStatus, previews: [CameraID: PreviewStatus],
    sounds: [MicrophoneID: SoundStatus] = [:], paired: Int, connected: Int
  ) {
    gauge("camrig_info", "Which release it is; always 1.", [([("version", status.version)], 1)])
    gauge(
      "camrig_start_time_seconds", "When it was started, in seconds of the Unix epoch.",
      Double(status.started.nanoseconds) / 1e9)
    gauge("camrig_problems", "Things that a person should look at.", Double(status.troubles.count))
    gauge(
      "camrig_clock_synchronised", "1: the time of day is synchronised.", status.clock == .synchronised ? 1 : 0)
    cameras(status.cameras)
    recording(status.recording)
    storage(status.storage)
    gauge("camrig_monitors_paired", "Monitors that may come in.", Double(paired))
    gauge("camrig_monitors_connected", "Monitors of those that are connected.", Double(connected))
    self.previews(previews)
    self.sounds(sounds)
  }

  // MARK: What is told

  private mutating func cameras(_ cameras: [CameraDescription]) {
    gauge(
      "camrig_camera_state", "1 for the state that the camera is in.",
      cameras.map { ([("camera", $0.id.rawValue), ("name", $0.name), ("state", $0.state.rawValue)], 1) })
    let streams = cameras.compactMap { camera in camera.stream.map { (camera.id.rawValue, $0) } }
    counter(
      "camrig_camera_frames_total", "Pictures that the camera has delivered since its stream was started.",
      streams.map { ([("camera", $0)], Double($1.frames)) })
    counter(
      "camrig_camera_lost_frames_total", "Pictures of that stream that are lost, by cause.",
      streams.flatMap { id, stream in
        LossCause.allCases.compactMap { cause in
          stream.lost[cause.rawValue].map { ([("camera", id), ("cause", cause.rawValue)], Double($0)) }
        }
      })
    gauge(
      "camrig_camera_frames_per_second", "What it delivers just now.",
      streams.compactMap { id, stream in stream.measuredRate.map { ([("camera", id)], $0) } })
  }

  private mutating func recording(_ recording: RecordingStatus?) {
    gauge("camrig_recording", "1: a take is being recorded.", recording == nil ? 0 : 1)
    gauge("camrig_recording_seconds", "For how long.", recording.map { [([], $0.seconds)] } ?? [])
    let cameras = recording?.cameras ?? []
    func each(_ value: (RecordingCameraStatus) -> Double) -> [Sample] {
      cameras.map { ([("camera", $0.camera.rawValue)], value($0)) }
    }
    counter("camrig_recording_frames_total", "Pictures of the take that are written.", each { Double($0.frames) })
    counter("camrig_recording_lost_frames_total", "Pictures of the take that are lost.", each { Double($0.lost) })
    counter("camrig_recording_bytes_total", "Bytes of the take that are written.", each { Double($0.bytes) })
    gauge("camrig_recording_gap", "1: the camera of the take delivers nothing just now.", each { $0.inGap ? 1 : 0 })
  }

  private mutating func storage(_ storage: StorageStatus) {
    gauge(
      "camrig_disk_free_bytes", "Of the volume with the takes; absent where it cannot be asked.",
      storage.freeBytes.map { [([], Double($0))] } ?? [])
    gauge("camrig_disk_reserve_bytes", "What is kept free.", Double(storage.reserveBytes))
    gauge(
      "camrig_disk_seconds_left", "For so long the present recording, or one like the last, can go on.",
      storage.secondsLeft.map { [([], $0)] } ?? [])
  }

  private mutating func previews(_ previews: [CameraID: PreviewStatus]) {
    let all = previews.sorted { $0.key.rawValue < $1.key.rawValue }
    func each(_ value: (PreviewStatus) -> Int) -> [Sample] {
      all.map { ([("camera", $0.key.rawValue)], Double(value($0.value))) }
    }
    gauge("camrig_preview_viewers", "Who looks at the camera.", each { $0.viewerCount })
    counter("camrig_preview_frames_sent_total", "Pictures given to viewers.", each { $0.shownCount })
    counter(
      "camrig_preview_frames_skipped_total",
      "Pictures that viewers did not get because they or their links were slower.",
      each { $0.skippedCount })
  }

  private mutating func sounds(_ sounds: [MicrophoneID: SoundStatus]) {
    let all = sounds.sorted { $0.key < $1.key }
    func each(_ value: (SoundStatus) -> Int) -> [Sample] {
      all.map { ([("microphone", $0.key.rawValue)], Double(value($0.value))) }
    }
    gauge("camrig_sound_listeners", "Who listens to the microphone.", each { $0.listenerCount })
    counter("camrig_sound_messages_sent_total", "Messages of 20 ms given to listeners.", each { $0.sentCount })
    counter(
      "camrig_sound_messages_skipped_total",
      "Messages that listeners did not get because they or their links were slower.",
      each { $0.skippedCount })
  }

  // MARK: How it is written

  private typealias Sample = (labels: [(String, String)], value: Double)

  private mutating func gauge(_ name: String, _ help: String, _ value: Double) { gauge(name, help, [([], value)]) }

  private mutating func gauge(_ name: String, _ help: String, _ samples: [Sample]) {
    family(name, .gauge, help, samples)
  }

  private mutating func counter(_ name: String, _ help: String, _ samples: [Sample]) {
    family(name, .counter, help, samples)
  }

  private mutating func family(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for (labels, value) in samples {
      let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
      text += "\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(Self.number(value))\n"
    }
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Whole numbers as such: they are easier to read.
  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
