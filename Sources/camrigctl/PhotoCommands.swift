import CamrigModel

let photoCommands: [Command] = [photoCommand, photoListCommand, photoCancelCommand]

private let photoCommand = Command(
  name: "photo", operands: "[CAMERA]… [--timer S] [--count N [--interval S]] [--still] [--flash] [--output DIR]",
  summary: "a photo of each camera, or of those named, at once",
  options: [
    OptionSyntax("--timer", value: "S", help: "self-timer, 0 to 20 seconds"),
    OptionSyntax("--count", value: "N", help: "a burst of N pictures, 1 to 100"),
    OptionSyntax("--interval", value: "S", help: "seconds from picture to picture, such as 0.5"),
    OptionSyntax("--still", help: "in the camera's largest size; its stream pauses for it"),
    OptionSyntax("--flash", help: "with the lights of these cameras, and those that belong to the rig"),
    OptionSyntax("--output", value: "DIR", help: "copies the photos there"),
  ]
) { arguments, rig in
  var request = PhotoTakeRequest(cameras: arguments.words.isEmpty ? nil : arguments.words)
  request.timerSeconds = try arguments.seconds("--timer")
  request.intervalSeconds = try arguments.seconds("--interval")
  if let text = arguments["--count"] {
    guard let count = Int(text) else { throw UsageError("--count takes a number") }
    request.count = count
  }
  if arguments.has("--still") { request.source = .still }
  if arguments.has("--flash") { request.flash = .on }
  var started: ShotStarted?
  var finished: (shot: ShotRecord, json: JSONValue)?
  let press = { started = try rig.call(.photoTake, request, as: ShotStarted.self).0 }
  try rig.watch(first: press) { event, params in
    guard let started, params["shot"]?.asString == started.shot else { return true }
    switch RigEventName(rawValue: event) {
    case .photoCountdown where !rig.json: print("\(params["secondsLeft"]?.text ?? "?") …")
    case .photoFinished:
      finished = (try params.decode(ShotRecord.self), params)
      return false
    default: break
    }
    return true
  }
  guard let started, let (shot, json) = finished else { return .software }
  if let directory = arguments["--output"] {
    for photo in shot.photos { try rig.keep(photo.file, of: started, in: directory) }
  }
  if rig.json { try printJSON(json) } else { show(shot, in: arguments["--output"] ?? started.folder) }
  return shot.photos.isEmpty ? .unavailable : .ok
}

private func show(_ shot: ShotRecord, in folder: String) {
  for photo in shot.photos {
    print(
      "\(folder)/\(photo.file)  \(photo.width)x\(photo.height)  \(text(bytes: Int64(photo.bytes)))"
        + (photo.encoded ? "  encoded by the rig" : "") + (notes(photo).isEmpty ? "" : "  \(notes(photo))"))
  }
  if let spread = shot.spreadMilliseconds { print("within \(decimal(spread)) ms of each other") }
  for failure in shot.failures { print("! \(failure.cameraName): \(failure.message)") }
  if shot.photos.isEmpty, shot.failures.isEmpty { print("cancelled") }
}

/// How it was taken, where that was not as usual.
private func notes(_ photo: PhotoRecord) -> String {
  [photo.flash == true ? "with light" : nil, photo.take.map { "while recording \($0)" }].compactMap { $0 }
    .joined(separator: ", ")
}

private let photoListCommand = Command(
  name: "photo list", operands: "[--limit N]", summary: "the shots on this rig, newest first",
  options: [OptionSyntax("--limit", value: "N", help: "only the newest N")]
) { arguments, rig in
  _ = try arguments.operands()
  let request = ShotListRequest(limit: try arguments.limit())
  let (shots, json) = try rig.call(.photoList, request, as: [ShotRecord].self)
  if rig.json {
    try printJSON(json)
    return .ok
  }
  if shots.isEmpty {
    print("No photo yet. Take one with: camrigctl photo")
    return .ok
  }
  printTable(
    [["SHOT", "TAKEN (UTC)", "CAMERA", "PICTURE", "SIZE", "FILE", "NOTES"]]
      + shots.flatMap { shot in
        shot.photos.map { photo in
          [
            shot.shot, text(time: photo.at), photo.cameraName, "\(photo.width)x\(photo.height)",
            text(bytes: Int64(photo.bytes)), photo.file, notes(photo),
          ]
        }
      })
  return .ok
}

private let photoCancelCommand = Command(
  name: "photo cancel", operands: "[SHOT]", summary: "ends a self-timer or a burst"
) { arguments, rig in
  guard arguments.words.count <= 1 else { throw UsageError("unexpected \"\(arguments.words[1])\"") }
  let request = PhotoCancelRequest(shot: arguments.words.first)
  let (reference, json) = try rig.call(.photoCancel, request, as: ShotReference.self)
  rig.json ? try printJSON(json) : print("cancelled \(reference.shot)")
  return .ok
}

extension Arguments {
  func seconds(_ option: String) throws(UsageError) -> Double? {
    guard let text = self[option] else { return nil }
    guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else {
      throw UsageError("\(option) takes seconds, such as 2 or 0.5")
    }
    return seconds
  }
}
