import CamrigModel

let recordCommands: [Command] = [
  Command(
    name: "record start", operands: "[--camera CAMERA]… [--name NAME]",
    summary: "records all cameras, or those named, into one take",
    options: [
      OptionSyntax("--camera", value: "CAMERA", help: "this camera; may be given several times"),
      OptionSyntax("--name", value: "NAME", help: "for people; part of the folder's name"),
    ]
  ) { arguments, rig in
    _ = try arguments.operands()
    let cameras = arguments.all("--camera").flatMap { $0.split(separator: ",").map(String.init) }
    let request = RecordingStartRequest(
      cameras: cameras.isEmpty ? nil : cameras, name: arguments["--name"])
    let (started, json) = try rig.call(.recordingStart, request, as: TakeStarted.self)
    if rig.json {
      try printJSON(json)
      return .ok
    }
    print((started.alreadyRunning ? "already recording " : "recording ") + started.take + " in \(started.folder)")
    if let instead = started.instead { print("! \(instead)") }
    for camera in started.cameras {
      if let problem = camera.problem {
        print("! \(camera.name): \(problem)")
      } else if let offset = camera.offsetSeconds {
        print("  \(camera.name)  first picture \(signed(offset)) s")
      }
    }
    return .ok
  },
  Command(name: "record stop", operands: "", summary: "ends the take; every file is a plain movie then") {
    arguments, rig in
    _ = try arguments.operands()
    let (take, json) = try rig.call(.recordingStop, as: TakeManifest.self)
    rig.json ? try printJSON(json) : printTake(take)
    return .ok
  },
  Command(
    name: "record arm", operands: "[on|off]",
    summary: "keeps the cameras open, so that a take begins before Record is pressed (pre-roll)"
  ) { arguments, rig in
    guard arguments.words.count <= 1, ["on", "off"].contains(arguments.words.first ?? "on") else {
      throw UsageError("record arm takes on or off")
    }
    let request = RecordingArmRequest(armed: arguments.words.first != "off")
    let (status, json) = try rig.call(.recordingArm, request, as: RigStatus.self)
    rig.json ? try printJSON(json) : print(status.armed ? "armed" : "not armed")
    return .ok
  },
]

private func signed(_ seconds: Double) -> String {
  let thousandths = Int((abs(seconds) * 1000).rounded())
  let fraction = String(thousandths % 1000)
  return (seconds < 0 ? "−" : "+") + "\(thousandths / 1000)."
    + String(repeating: "0", count: 3 - fraction.count) + fraction
}
