import CamrigModel
import RigClient

let timelapseCommands: [Command] = [
  startCommand, stopCommand, progressCommand, listCommand, movieCommand, timelapseDownloadCommand,
]

private let startCommand = Command(
  name: "timelapse start", operands: "[CAMERA]… --interval S",
  summary: "a picture of each camera every S seconds, until it is stopped; goes on after a restart",
  options: [OptionSyntax("--interval", value: "S", help: "seconds from picture to picture, 1 to 86400")]
) { arguments, rig in
  guard let interval = try arguments.seconds("--interval") else {
    throw UsageError("give the time from picture to picture: --interval 10")
  }
  let request = TimelapseStartRequest(
    cameras: arguments.words.isEmpty ? nil : arguments.words, intervalSeconds: interval)
  let (started, json) = try rig.call(.timelapseStart, request, as: TimelapseStarted.self)
  rig.json ? try printJSON(json) : print("timelapse \(started.timelapse) runs, in \(started.folder)")
  return .ok
}

private let stopCommand = Command(name: "timelapse stop", operands: "", summary: "ends the timelapse that runs") {
  arguments, rig in
  _ = try arguments.operands()
  let (record, json) = try rig.call(.timelapseStop, as: TimelapseRecord.self, timeout: .seconds(60))
  rig.json ? try printJSON(json) : show([record])
  return .ok
}

private let progressCommand = Command(
  name: "timelapse status", operands: "", summary: "the timelapse that runs; 66 if there is none"
) { arguments, rig in
  _ = try arguments.operands()
  let status = try rig.call(.rigStatus, as: RigStatus.self).0.timelapse
  guard let status else {
    rig.json ? try printJSON(.object([:])) : print("No timelapse is running.")
    return .noInput
  }
  if rig.json {
    try printJSON(JSONValue(encoding: status))
    return .ok
  }
  print("● \(status.id), a picture every \(decimal(status.intervalSeconds)) s, next \(text(time: status.next)) UTC")
  printTable(
    status.cameras.values.sorted { $0.name < $1.name }.map { camera in
      ["  \(camera.name)", "\(camera.pictures) pictures", "\(camera.missed) missed", camera.message ?? ""]
    })
  return .ok
}

private let listCommand = Command(
  name: "timelapse list", operands: "[--limit N]", summary: "the timelapses on this rig, newest first",
  options: [OptionSyntax("--limit", value: "N", help: "only the newest N")]
) { arguments, rig in
  _ = try arguments.operands()
  let request = TimelapseListRequest(limit: try arguments.limit())
  let (records, json) = try rig.call(.timelapseList, request, as: [TimelapseRecord].self)
  if rig.json {
    try printJSON(json)
  } else if records.isEmpty {
    print("No timelapse yet. Begin one with: camrigctl timelapse start --interval 10")
  } else {
    show(records)
  }
  return .ok
}

private let movieCommand = Command(
  name: "timelapse movie", operands: "TIMELAPSE [--rate N] [--to DIR]",
  summary: "a movie of each camera's pictures as they are; \"last\" is the newest timelapse",
  options: [
    OptionSyntax("--rate", value: "N", help: "pictures a second; 25 without it"),
    OptionSyntax("--to", value: "DIR", help: "fetches the movies into a folder there, named like the timelapse"),
  ]
) { arguments, rig in
  var request = TimelapseMovieRequest(timelapse: try arguments.operands("TIMELAPSE")[0])
  if let text = arguments["--rate"] {
    guard let rate = FrameRate(text) else { throw UsageError("\"\(text)\" is no rate; write it like 25 or 30000/1001") }
    request.rate = rate
  }
  let (made, json) = try rig.call(.timelapseMovie, request, as: TimelapseMovies.self, timeout: .seconds(24 * 3600))
  var folder = made.folder
  if let parent = arguments["--to"] {
    let download = try FolderDownload(try rig.web(), .timelapses, made.timelapse, into: parent)
    for movie in made.movies { _ = try download.fetch(movie.file) }
    folder = download.folder
  }
  if rig.json {
    try printJSON(json)
    return .ok
  }
  for movie in made.movies {
    print(
      "\(folder)/\(movie.file)  \(movie.pictures) pictures, \(text(seconds: movie.durationSeconds)), "
        + text(bytes: movie.bytes))
  }
  return .ok
}

private func show(_ records: [TimelapseRecord]) {
  printTable(
    [["TIMELAPSE", "BEGAN (UTC)", "INTERVAL", "CAMERA", "PICTURES", "MISSED", "STATE"]]
      + records.flatMap { record in
        record.cameras.map { camera in
          [
            record.timelapse, text(time: record.at), "\(decimal(record.intervalSeconds)) s", camera.cameraName,
            "\(camera.pictures)", "\(camera.missed)", record.message ?? record.state.rawValue,
          ]
        }
      })
}

extension Arguments {
  func limit() throws(UsageError) -> Int? {
    guard let text = self["--limit"] else { return nil }
    guard let limit = Int(text), limit > 0 else { throw UsageError("--limit takes a number above 0") }
    return limit
  }
}
