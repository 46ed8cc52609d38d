import CamrigModel

let takeCommands: [Command] = [
  Command(
    name: "takes", operands: "[--limit N]", summary: "the takes on this rig, newest first",
    options: [OptionSyntax("--limit", value: "N", help: "only the newest N")]
  ) {
    arguments, rig in
    _ = try arguments.operands()
    let request = TakeListRequest(limit: try arguments.limit())
    let (takes, json) = try rig.call(.takeList, request, as: [TakeSummary].self)
    if rig.json {
      try printJSON(json)
      return .ok
    }
    if takes.isEmpty {
      print("No take yet. Begin one with: camrigctl record start")
      return .ok
    }
    printTable(
      [["TAKE", "BEGAN (UTC)", "LENGTH", "CAMERAS", "CLIPS", "SIZE", "LOST", "STATE"]]
        + takes.map { take in
          [
            take.id, text(time: take.start), text(seconds: take.durationSeconds), "\(take.cameras)", "\(take.clips)",
            text(bytes: Int64(clamping: take.bytes)), "\(take.lost)", take.state.rawValue,
          ]
        })
    return .ok
  },
  Command(name: "take show", operands: "TAKE", summary: "the clips, gaps and losses of a take") { arguments, rig in
    let reference = TakeReference(take: try arguments.operands("TAKE")[0])
    let (take, json) = try rig.call(.takeGet, reference, as: TakeManifest.self)
    rig.json ? try printJSON(json) : printTake(take)
    return .ok
  },
  Command(
    name: "take verify", operands: "TAKE", summary: "proves from the files that every picture is there or accounted for"
  ) { arguments, rig in
    let reference = TakeReference(take: try arguments.operands("TAKE")[0])
    let (report, json) = try rig.call(
      .takeVerify, reference, as: TakeVerification.self, timeout: .seconds(24 * 3600))
    if rig.json {
      try printJSON(json)
    } else {
      print("\(report.take): \(report.exact ? "every picture is accounted for" : "NOT EXACT")")
      for camera in report.cameras {
        print(
          "  \(camera.id)  \(camera.written) pictures in \(camera.clips) \(camera.clips == 1 ? "clip" : "clips"), "
            + "\(camera.fragments) fragments, \(camera.lost) lost\(camera.exact ? "" : ", not exact")")
        for sound in camera.microphones ?? [] {
          print("    \(sound.id)  \(sound.samples) samples, \(soundSilence(sound.silence))")
        }
      }
      for finding in report.findings {
        print("\(finding.harmless ? "  note" : "! ")  " + (finding.file.map { "\($0): " } ?? "") + finding.message)
      }
    }
    return report.exact ? .ok : .dataErr
  },
  Command(name: "take repair", operands: "TAKE", summary: "puts a take in order again; deletes nothing") {
    arguments, rig in
    let reference = TakeReference(take: try arguments.operands("TAKE")[0])
    let (report, json) = try rig.call(
      .takeRepair, reference, as: TakeRepairReport.self, timeout: .seconds(24 * 3600))
    if rig.json {
      try printJSON(json)
    } else {
      print("\(report.take): \(report.message)")
      for clip in report.clips {
        print("  \(clip.file)  \(clip.state.rawValue), \(clip.frames) frames" + (clip.problem.map { ": \($0)" } ?? ""))
      }
    }
    return report.whole ? .ok : .dataErr
  },
]

func printTake(_ take: TakeManifest) {
  print("\(take.id)" + (take.name.map { " \"\($0)\"" } ?? "") + "  \(take.state.rawValue)")
  print(
    "began \(text(time: take.start.wall)) UTC" + (take.start.sync == .synchronised ? "" : " (clock not synchronised)"))
  if let stop = take.stop, stop.cause != .requested { print("ended by \(stop.cause.rawValue): \(stop.message)") }
  for camera in take.cameras {
    print("\(camera.name)  (\(camera.id))")
    for clip in camera.clips {
      print(
        "  \(clip.file)  \(clip.format)  \(text(seconds: clip.durationSeconds))  \(clip.frames) frames  "
          + "\(text(bytes: Int64(clamping: clip.bytes)))  \(clip.state.rawValue)"
          + (clip.encoder.map { "  encoded by \($0)" } ?? ""))
      for sound in clip.microphones ?? [] {
        print(
          "    \(sound.name)  \(sound.codec.rawValue), \(sound.channels) \(sound.channels == 1 ? "channel" : "channels")  "
            + "\(sound.samples) samples, \(soundSilence(sound.silence))")
      }
    }
    for gap in camera.gaps {
      let length = gap.to.map { text(seconds: ($0 - gap.from).inSeconds) } ?? "until the end"
      print(
        "  gap from \(text(time: gap.fromWall)), \(length): \(gap.reason.rawValue)"
          + (gap.message.map { ", \($0)" } ?? ""))
    }
    let lost = camera.lost.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
    if !lost.isEmpty { print("  lost: " + lost.map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")) }
  }
}

/// What of a microphone's sound is silence, in words.
func soundSilence(_ silence: [SilenceCause: UInt64]) -> String {
  let parts = silence.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
  return parts.isEmpty ? "none of them declared silence" : "of them silence: " + parts.joined(separator: ", ")
}
