import CamrigModel
import FoundationEssentials
import Glibc

/// The folder of a shot: its photos, and `shot.json` once it is complete. Everything blocks as long as the volume does.
package struct ShotFolder: Sendable, Hashable {
  package static let recordName = "shot.json"

  package let shot: String
  package let path: String

  package init(_ shot: String, in media: MediaDirectory) {
    self.shot = shot
    path = media.shots + "/" + shot
  }

  /// A new one, under a name that no other has. Durable.
  static func make(at wall: WallTime, sync: ClockSync, in media: MediaDirectory) throws(RecordingError) -> ShotFolder {
    if try Folder.make(media.shots) { try Folder.sync(media.path) }
    let boot = Folder.bootMark()
    for attempt in 1...10_000 {
      let folder = ShotFolder(ShotName.folder(at: wall, sync: sync, boot: boot, attempt: attempt), in: media)
      guard try Folder.make(folder.path) else { continue }
      try Folder.sync(media.shots)
      return folder
    }
    throw .io(path: media.shots, errno: EEXIST)
  }

  /// Takes it back if there is nothing in it.
  func withdraw() { rmdir(path) }

  func write(_ record: ShotRecord) throws(RecordingError) {
    try PhotoFile.write(ManifestFile.json(record) + [UInt8(ascii: "\n")], to: path, Self.recordName)
  }

  /// As `shot.json` has it; made up from the photos where that is missing or broken. Nil: there is no photo in it.
  package func read() -> ShotRecord? {
    if let bytes = try? Folder.read(path + "/" + Self.recordName, limit: 4 << 20),
      var record = try? JSONDecoder().decode(ShotRecord.self, from: Data(bytes))
    {
      // A folder that was copied or renamed is listed under the name by which it can be found.
      record.shot = shot
      return record
    }
    return ShotEvidence.record(of: self)
  }
}
