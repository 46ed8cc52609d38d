import CamrigModel
import RigClient

let downloadCommand = Command(
  name: "take download", operands: "TAKE [--to DIR]",
  summary: "fetches the clips of a take; what was cut short goes on where it ended",
  options: [OptionSyntax("--to", value: "DIR", help: "a folder named like the take is made in it; here without it")]
) { arguments, rig in
  let reference = TakeReference(take: try arguments.operands("TAKE")[0])
  let (take, _) = try rig.call(.takeGet, reference, as: TakeManifest.self)
  let download = try TakeDownload(try rig.web(), take: take.id, into: arguments["--to"] ?? ".")
  var fetched: [JSONValue] = []
  func fetch(_ file: String) throws {
    let outcome = try download.fetch(file)
    switch outcome {
    case .present: fetched.append(["file": .string(file), "bytes": 0])
    case .fetched(let bytes): fetched.append(["file": .string(file), "bytes": .integer(bytes)])
    }
    if !rig.json { print("\(file)  \(outcome.words)") }
  }
  let clips = take.cameras.flatMap(\.clips).filter { $0.state != .empty }
  let open = clips.filter { $0.state == .recording || $0.state == .unfinished }
  for clip in clips where clip.state == .finished || clip.state == .repaired { try fetch(clip.file) }
  try fetch("take.json")
  if rig.json { try printJSON(["take": .string(take.id), "files": .array(fetched)]) }
  for clip in open { printError("\(clip.file) is not finished and was left out") }
  return open.isEmpty ? .ok : .tempFail
}

extension TakeDownload.Outcome {
  fileprivate var words: String {
    switch self {
    case .present: "is there already"
    case .fetched(let bytes): text(bytes: bytes)
    }
  }
}
