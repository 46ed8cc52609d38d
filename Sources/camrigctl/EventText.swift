import CamrigModel

/// An event as a line for people.
struct EventText {
  let line: String

  init(event: String, params: JSONValue) {
    func word(_ path: String...) -> String {
      var value: JSONValue? = params
      for key in path { value = value?[key] }
      guard let value else { return "?" }
      return value.asString ?? value.text
    }
    switch RigEventName(rawValue: event) {
    case .eventsLost:
      line =
        "EVENTS LOST: \(word("lost")), since this monitor did not keep up. What holds now says: camrigctl status"
    case .sessionChanged: line = "selected: \(params["selected"]?.asString ?? "none")"
    case .stateChanged: line = "the state is \(word("revision")) now"
    case .cameraChanged:
      let message = params["message"]?.asString ?? ""
      line = "\(word("name")) (\(word("id"))): \(word("state"))" + (message.isEmpty ? "" : ", \(message)")
    case .cameraForgotten: line = "\(word("camera")) is forgotten"
    case .microphoneChanged:
      line = "microphone \(word("name")) (\(word("id"))): \(word("state"))"
    case .microphoneForgotten: line = "microphone \(word("microphone")) is forgotten"
    case .microphoneLevels: line = "levels \(params.text)"
    case .torchChanged:
      let torches = params["torches"]?.asArray ?? []
      line =
        "torches: "
        + torches.map { "\($0["id"]?.asString ?? "?") \($0["level"]?.text ?? "?") of \($0["maxLevel"]?.text ?? "?")" }
        .joined(separator: ", ")
    case .recordingArmed: line = params["armed"]?.asBool == true ? "armed" : "not armed"
    case .recordingStarted: line = "recording \(word("take"))"
    case .recordingClip: line = "\(word("camera")): clip \(word("clip", "file"))"
    case .recordingProgress:
      line =
        "\(word("camera")): clip \(word("clip")), \(word("written")) frames, \(word("lost")) lost, "
        + "synced in \(decimal((params["syncSeconds"]?.asDouble ?? 0) * 1000)) ms"
    case .recordingGapOpened: line = "\(word("camera")): NO PICTURE (\(word("gap", "reason")))"
    case .recordingGapClosed: line = "\(word("camera")): pictures again"
    case .recordingLoss:
      let lost = params["lost"]?.asObject ?? [:]
      line =
        "\(word("camera")): lost "
        + lost.sorted { $0.key < $1.key }.map { "\($0.value.text) \($0.key)" }.joined(separator: ", ")
    case .recordingStopping: line = "stopping \(word("take")): \(word("stop", "message"))"
    case .recordingStopped: line = "stopped \(word("id")): \(word("state"))"
    case .recordingTrouble: line = "TROUBLE: \(word("message"))"
    case .photoCountdown: line = "shot \(word("shot")) in \(word("secondsLeft")) s"
    case .photoTaken: line = "\(word("camera")): photo \(word("file"))"
    case .photoFailed: line = "\(word("camera")): NO PHOTO: \(word("message"))"
    case .photoFinished:
      let count = params["photos"]?.asArray?.count ?? 0
      line = "shot \(word("shot")): \(count) \(count == 1 ? "photo" : "photos")"
    case .timelapseStarted: line = "timelapse \(word("timelapse")) runs"
    case .timelapseAdvanced: line = "timelapse \(word("id")): \(word("pictures")) pictures"
    case .timelapseStopped: line = "timelapse \(word("timelapse")) ended: \(word("message"))"
    case .takeRepaired: line = "\(word("take")): \(word("message"))"
    // A newer daemon's event is shown as it is.
    case nil: line = "\(event) \(params.text)"
    }
  }
}
