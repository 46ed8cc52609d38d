import CamrigModel

/// The rig's status as maps keyed by ID, without nulls and without what grows by itself, so that merge patches can say
/// every change of it and say nothing while nothing happens.
struct StateDocument {
  let json: JSONValue

  init(_ status: RigStatus, more: [String: JSONValue] = [:]) throws {
    var members = more
    members["rig"] = [
      "name": .string(status.name), "version": .string(status.version), "armed": .bool(status.armed),
      "started": try JSONValue(encoding: status.started), "clockSync": try JSONValue(encoding: status.clock),
    ]
    var cameras: [String: JSONValue] = [:]
    for camera in status.cameras {
      var described = camera
      // Now, as long as it is there.
      if camera.state != .offline { described.lastSeen = nil }
      cameras[camera.id.rawValue] = try JSONValue(encoding: described)
    }
    members["cameras"] = .object(cameras)
    var microphones: [String: JSONValue] = [:]
    for microphone in status.microphones {
      var described = microphone
      if microphone.state != .offline { described.lastSeen = nil }
      microphones[microphone.id.rawValue] = try JSONValue(encoding: described)
    }
    members["microphones"] = .object(microphones)
    members["disk"] = try Self.disk(status.storage)
    members["problems"] = .object(
      try Dictionary(
        uniqueKeysWithValues: RigProblem.keyed(status.problems ?? []).map {
          ($0.key, try JSONValue(encoding: $0.problem))
        }))
    if let timelapse = status.timelapse { members["timelapse"] = try JSONValue(encoding: timelapse) }
    if let photo = status.photo { members["photo"] = try JSONValue(encoding: photo) }
    if let torches = status.torches {
      members["torches"] = .object(
        try Dictionary(uniqueKeysWithValues: torches.map { ($0.id, try JSONValue(encoding: $0)) }))
    }
    if let recording = status.recording { members["recording"] = try Self.recording(recording) }
    json = .object(members)
  }

  private static func disk(_ storage: StorageStatus) throws -> JSONValue {
    var disk = try JSONValue(encoding: storage).asObject ?? [:]
    // Whole megabytes and seconds: what is smaller is no news.
    if let free = storage.freeBytes { disk["freeBytes"] = .integer(free / 1_000_000 * 1_000_000) }
    if let seconds = storage.secondsLeft { disk["secondsLeft"] = .integer(Int64(seconds)) }
    return .object(disk)
  }

  private static func recording(_ recording: RecordingStatus) throws -> JSONValue {
    var members = try JSONValue(encoding: recording).asObject ?? [:]
    members["seconds"] = nil
    var cameras: [String: JSONValue] = [:]
    for camera in recording.cameras { cameras[camera.camera.rawValue] = try JSONValue(encoding: camera) }
    members["cameras"] = .object(cameras)
    return .object(members)
  }
}
