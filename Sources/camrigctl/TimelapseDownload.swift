import CamrigModel
import RigClient

let timelapseDownloadCommand = Command(
  name: "timelapse download", operands: "TIMELAPSE [--camera CAMERA]… [--to DIR]",
  summary: "fetches the pictures and movies of a timelapse; what is there already is left as it is",
  options: [
    OptionSyntax("--camera", value: "CAMERA", help: "only of this one; may be repeated"),
    OptionSyntax("--to", value: "DIR", help: "a folder named like the timelapse is made in it; here without it"),
  ]
) { arguments, rig in
  let record = try rig.timelapse(try arguments.operands("TIMELAPSE")[0])
  let cameras = try record.cameras(named: arguments.all("--camera"))
  let download = try FolderDownload(try rig.web(), .timelapses, record.timelapse, into: arguments["--to"] ?? ".")
  var fetched: [JSONValue] = []
  var isWhole = true
  for camera in cameras {
    let sequence = try TimelapseSequence.fetch(camera, by: download)
    fetched.append(try JSONValue(encoding: sequence))
    if !rig.json { print("\(camera.cameraName)  \(sequence.words)") }
    if !sequence.isWhole {
      printError("\(camera.cameraName): the rig has listed \(camera.pictures) pictures, and no longer has them all")
      isWhole = false
    }
  }
  let movies = (record.movies ?? []).filter { movie in cameras.contains { $0.camera == movie.camera } }
  let files = try rig.fetch(movies.map(\.file), by: download)
  if rig.json {
    try printJSON(["timelapse": .string(record.timelapse), "cameras": .array(fetched), "files": .array(files)])
  } else if record.state == .running {
    print("It is still running; the same command fetches later pictures.")
  }
  return isWhole ? .ok : .tempFail
}

extension Connection {
  /// - Parameter id: or `last`.
  fileprivate func timelapse(_ id: String) throws -> TimelapseRecord {
    let request = TimelapseListRequest(timelapse: id)
    let records = try call(.timelapseList, request, as: [TimelapseRecord].self, timeout: .seconds(60)).0
    guard let record = id == "last" ? records.first : records.first(where: { $0.timelapse == id }) else {
      throw ControlClientError.refused(
        RPCError(.timelapseUnknown, "There is no timelapse \(id). See camrigctl timelapse list."))
    }
    return record
  }

  /// Files that may change, such as movies; says of each what came.
  fileprivate func fetch(_ files: [String], by download: FolderDownload) throws -> [JSONValue] {
    try files.map { file in
      let outcome = try download.fetch(file)
      if !json { print("\(download.folder)/\(file)  \(outcome.words)") }
      return ["file": .string(file), "bytes": .integer(outcome.bytes)]
    }
  }
}

extension TimelapseRecord {
  /// By its ID, else by its name, in any case where only one has that.
  private func camera(named name: String) -> Camera? {
    if let camera = cameras.first(where: { $0.camera.rawValue == name }) { return camera }
    if let camera = cameras.first(where: { $0.cameraName == name }) { return camera }
    let alike = cameras.filter { $0.cameraName.lowercased() == name.lowercased() }
    return alike.count == 1 ? alike[0] : nil
  }

  /// All of them where none is named.
  fileprivate func cameras(named names: [String]) throws(ControlClientError) -> [Camera] {
    if names.isEmpty { return cameras }
    var found: [Camera] = []
    for name in names {
      guard let camera = camera(named: name) else {
        let all = cameras.map { "\($0.cameraName) (\($0.camera))" }.joined(separator: ", ")
        throw .refused(
          RPCError(.cameraUnknown, "Timelapse \(timelapse) has no camera \"\(name)\". Its cameras are: \(all)."))
      }
      if !found.contains(camera) { found.append(camera) }
    }
    return found
  }
}
