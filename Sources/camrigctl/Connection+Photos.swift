import CamrigModel
import HTTP
import RigClient

extension Connection {
  /// Copies a photo on this machine, or fetches it from a rig in the network.
  func keep(_ file: String, of started: ShotStarted, in directory: String) throws {
    guard isRemote else { return try CopiedFile.copy("\(started.folder)/\(file)", to: "\(directory)/\(file)") }
    // The rig says what it is called; it has no say in where it goes.
    guard FolderDownload.isName(file) else { throw DownloadError.strange(file) }
    let web = try web()
    let target = "/shots/\(PercentEncoding.encode(started.shot))/\(PercentEncoding.encode(file))"
    let answer = try web.send(.get, target)
    guard answer.status == 200 else { throw web.refusal(answer.status, answer.body) }
    try PictureFile.write(answer.body, to: "\(directory)/\(file)")
  }
}
