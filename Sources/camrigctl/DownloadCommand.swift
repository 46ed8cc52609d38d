import CamrigModel
import RigClient

let downloadCommand = Command(
  name: "take download", operands: "TAKE [--to DIR]",
  summary: "fetches the clips of a take; what was cut short goes on where it ended",
  options: [OptionSyntax("--to", value: "DIR", help: "a folder named like the take is made in it; here without it")]
) { arguments, rig in
  let reference = TakeReference(take: try arguments.operands("TAKE")[0])
  let (take, _) = try rig.call(.takeGet, reference, as: TakeManifest.self)
  let download = try FolderDownload(try rig.web(), .takes, take.id, into: arguments["--to"] ?? ".")
  var fetched: [JSONValue] = []
  func fetch(_ file: String) throws {
    let outcome = try download.fetch(file)
    fetched.append(["file": .string(file), "bytes": .integer(outcome.bytes)])
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

extension FolderDownload.Outcome {
  /// How many came.
  var bytes: Int64 {
    switch self {
    case .present: 0
    case .fetched(let bytes): bytes
    }
  }

  var words: String {
    switch self {
    case .present: "is there already"
    case .fetched(let bytes): text(bytes: bytes)
    }
  }
}
