import CamrigModel

let statusCommand = Command(name: "status", operands: "", summary: "the rig at a glance") { arguments, rig in
  _ = try arguments.operands()
  let (status, json) = try rig.call(.rigStatus, as: RigStatus.self)
  if rig.json {
    try printJSON(json)
    return .ok
  }
  print("\(status.name), camrig \(status.version), up since \(text(time: status.started)) UTC")
  if let recording = status.recording {
    print(
      "● recording \(recording.take)" + (recording.name.map { " \"\($0)\"" } ?? "")
        + ", \(text(seconds: recording.seconds))" + (recording.stopping ? ", stopping" : ""))
    printTable(
      recording.cameras.map { camera in
        [
          "  \(camera.name)", camera.inGap ? "NO PICTURE" : "", "\(camera.frames) frames",
          text(bytes: Int64(clamping: camera.bytes)), "\(camera.lost) lost",
          camera.clips == 1 ? "1 clip" : "\(camera.clips) clips",
        ]
      })
  } else {
    print(status.armed ? "○ armed: the cameras stay open for pre-roll" : "○ not recording")
  }
  var storage = "storage \(status.storage.directory)"
  if let free = status.storage.freeBytes { storage += ", \(text(bytes: free)) free" }
  storage += ", \(text(bytes: status.storage.reserveBytes)) kept in reserve"
  if let left = status.storage.secondsLeft { storage += ", room for \(text(seconds: left))" }
  print(storage)
  if !status.storage.message.isEmpty { print("! \(status.storage.message)") }
  if status.clock == .unsynchronised { print("! the clock of this machine is not synchronised") }
  for camera in status.cameras {
    print(
      "  \(camera.name)  \(camera.state.rawValue)"
        + (camera.granted.map { "  \($0)" } ?? "") + (camera.message.isEmpty ? "" : "  \(camera.message)"))
  }
  if let network = status.network {
    for (number, url) in network.urls.enumerated() {
      print("\(number == 0 ? "monitors open " : "              ")\(url)")
    }
    if !network.urls.isEmpty { print("fingerprint   \(grouped(network.fingerprint))") }
    if let announcement = network.announcement {
      if let name = announcement.name { print("announced as  \(name) (\(announcement.host ?? ""))") }
      if !announcement.message.isEmpty { print("announcement  \(announcement.message)") }
    }
  }
  for trouble in status.troubles { print("! \(trouble)") }
  return .ok
}

let versionCommand = Command(name: "version", operands: "", summary: "the versions of camrigctl and of camrigd") {
  arguments, rig in
  _ = try arguments.operands()
  let daemon: VersionInfo?
  do { daemon = try rig.call(.rigVersion, as: VersionInfo.self).0 } catch {
    // A daemon that does not run is no reason to keep our own version back.
    if !rig.json { print("camrigctl \(Version.text)") }
    throw error
  }
  if rig.json {
    try printJSON(
      .object([
        "camrigctl": .string(Version.text), "camrigd": .string(daemon?.version ?? ""),
        "protocolVersion": .integer(Int64(daemon?.protocolVersion ?? 0)),
      ]))
  } else {
    print("camrigctl \(Version.text)\ncamrigd \(daemon?.version ?? "")")
  }
  return .ok
}

let watchCommand = Command(
  name: "watch", operands: "[--count N]", summary: "live events until interrupted, one line each",
  options: [OptionSyntax("--count", value: "N", help: "ends after N events")]
) { arguments, rig in
  _ = try arguments.operands()
  var left = Int.max
  if let text = arguments["--count"] {
    guard let count = Int(text), count > 0 else { throw UsageError("--count takes a number above 0") }
    left = count
  }
  try rig.watch { event, params in
    if rig.json {
      try printJSON(.object(["event": .string(event), "params": params]), pretty: false)
    } else {
      print(EventText(event: event, params: params).line)
    }
    left -= 1
    return left > 0
  }
  return .ok
}
