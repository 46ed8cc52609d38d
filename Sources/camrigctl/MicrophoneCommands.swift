import CamrigModel
import Glibc

let microphoneCommands: [Command] = [
  Command(name: "mics", operands: "", summary: "every microphone ever seen, with its state and its camera") {
    arguments, rig in
    _ = try arguments.operands()
    let (microphones, json) = try rig.call(.microphoneList, as: [MicrophoneDescription].self)
    if rig.json {
      try printJSON(json)
      return .ok
    }
    if microphones.isEmpty {
      print("No microphone has been seen yet. Plug one in; it appears here by itself.")
      return .ok
    }
    printTable([["ID", "NAME", "STATE", "CAMERA", "GAIN", "SOUND"]] + microphones.map(row))
    for microphone in microphones where !microphone.message.isEmpty {
      print("\(microphone.name): \(microphone.message)")
    }
    return .ok
  },
  Command(
    name: "mics set",
    operands:
      "MIC [--gain DB] [--mute on|off] [--camera C | --cameras C,C…] [--offset MS] [--enabled on|off] [--name NAME]",
    summary: "how loud a microphone is, whose sound it is, how late it is put",
    options: [
      OptionSyntax("--gain", value: "DB", help: "the device's own volume in dB, such as 12 or -3.5"),
      OptionSyntax("--mute", value: "on|off", help: "silence instead of its sound"),
      OptionSyntax(
        "--camera", value: "C", help: "the camera whose clips get it; auto: that of the same device; off: none"),
      OptionSyntax("--cameras", value: "C,C…", help: "the cameras whose clips get it, each a track of it"),
      OptionSyntax("--enabled", value: "on|off", help: "off: it is never opened, and in no take"),
      OptionSyntax("--offset", value: "MS", help: "milliseconds later (or, negative, earlier) beside the pictures"),
      OptionSyntax("--name", value: "NAME", help: "another name"),
    ]
  ) { arguments, rig in
    var request = MicrophoneSetRequest(
      microphone: try arguments.operands("MIC")[0], name: arguments["--name"], camera: arguments["--camera"])
    if let text = arguments["--gain"] {
      guard let gain = Double(text), gain.isFinite else { throw UsageError("\"\(text)\" is no volume in dB") }
      request.gain = gain
    }
    request.muted = try arguments.truth("--mute")
    request.enabled = try arguments.truth("--enabled")
    if let text = arguments["--cameras"] {
      request.cameras = text.split(separator: ",").map { String($0) }
    }
    request.offsetMilliseconds = try arguments.milliseconds("--offset")
    guard !request.isEmpty else {
      throw UsageError("nothing to set: give --gain, --mute, --camera, --cameras, --enabled, --offset or --name")
    }
    let (microphone, json) = try rig.call(.microphoneSet, request, as: MicrophoneDescription.self)
    rig.json ? try printJSON(json) : printTable([row(microphone)])
    return .ok
  },
  Command(
    name: "mics meter", operands: "[--count N]", summary: "how loud they are, live, until interrupted",
    options: [OptionSyntax("--count", value: "N", help: "ends after N looks, ten of which are a second")]
  ) { arguments, rig in
    _ = try arguments.operands()
    var left = Int.max
    if let text = arguments["--count"] {
      guard let count = Int(text), count > 0 else { throw UsageError("--count takes a number above 0") }
      left = count
    }
    let (microphones, _) = try rig.call(.microphoneList, as: [MicrophoneDescription].self)
    var names: [MicrophoneID: String] = [:]
    for microphone in microphones { names[microphone.id] = microphone.name }
    let isTerminal = isatty(1) == 1
    var lines = 0
    try rig.watch(.microphoneMeter, MicrophoneMeterRequest(on: true)) { event, params in
      guard event == RigEventName.microphoneLevels.rawValue else { return true }
      if rig.json {
        try printJSON(params, pretty: false)
      } else {
        let levels = try params.decode(MicrophoneLevels.self).microphones
        // Over the lines of the last look.
        let up = isTerminal && lines > 0 ? "\u{1B}[\(lines)A\u{1B}[J" : ""
        let bars = levels.sorted { $0.key < $1.key }.map { MeterBar(names[$0.key] ?? $0.key.rawValue, $0.value).line }
        lines = bars.count
        if !bars.isEmpty { print(up + bars.joined(separator: "\n")) }
      }
      left -= 1
      return left > 0
    }
    return .ok
  },
  Command(name: "mics forget", operands: "MIC", summary: "forgets a microphone that is offline") { arguments, rig in
    let reference = MicrophoneReference(microphone: try arguments.operands("MIC")[0])
    let (_, json) = try rig.call(.microphoneForget, reference, as: JSONValue.self)
    if rig.json { try printJSON(json) }
    return .ok
  },
]

extension Arguments {
  fileprivate func truth(_ option: String) throws(UsageError) -> Bool? {
    guard let text = self[option] else { return nil }
    guard let value = ["on": true, "off": false][text] else { throw UsageError("\(option) takes on or off") }
    return value
  }
}

private func row(_ microphone: MicrophoneDescription) -> [String] {
  let camera =
    switch microphone.pairing {
    case .off: "off"
    case .automatic: microphone.camera?.rawValue ?? "none"
    case .chosen: microphone.cameras.map(\.rawValue).joined(separator: ", ") + " (chosen)"
    }
  var gain = microphone.gain.map { "\(decimal($0.value)) dB" } ?? ""
  if microphone.muted { gain += gain.isEmpty ? "muted" : ", muted" }
  var sound = microphone.format.map { "\($0.rate) Hz, \($0.channels) ch" } ?? ""
  if microphone.offsetMilliseconds != 0 { sound += "\(sound.isEmpty ? "" : ", ")\(microphone.offsetMilliseconds) ms" }
  return [microphone.id.rawValue, microphone.name, microphone.state.rawValue, camera, gain, sound]
}
