import CamrigModel
import FoundationEssentials
import Glibc

/// The folder of a timelapse: its pictures, `timelapse.json`, and beside it a marker as long as it runs. Everything blocks
/// as long as the volume does.
package struct TimelapseFolder: Sendable, Hashable {
  static let recordName = "timelapse.json"

  package let id: String
  package let path: String
  private let media: MediaDirectory

  package init(_ id: String, in media: MediaDirectory) {
    self.id = id
    self.media = media
    path = media.timelapses + "/" + id
  }

  private static func markers(_ media: MediaDirectory) -> String { media.timelapses + "/.open" }
  private var marker: String { Self.markers(media) + "/" + id }

  /// Newest first.
  package static func all(in media: MediaDirectory) -> [TimelapseFolder] {
    Folder.names(media.timelapses).filter(MediaDirectory.isTakeName).sorted(by: >)
      .map { TimelapseFolder($0, in: media) }
  }

  /// Those that shall go on, newest first.
  static func running(in media: MediaDirectory) -> [TimelapseFolder] {
    Folder.names(markers(media)).filter(MediaDirectory.isTakeName).sorted(by: >).map { TimelapseFolder($0, in: media) }
  }

  /// A new one with its marker, under a name that no other has. Durable.
  static func make(
    at anchor: ClockAnchor, in media: MediaDirectory, _ record: (String) -> TimelapseRecord
  ) throws(RecordingError) -> (TimelapseFolder, TimelapseRecord) {
    if try Folder.make(media.timelapses) { try Folder.sync(media.path) }
    _ = try Folder.make(markers(media))
    let boot = Folder.bootMark()
    for attempt in 1...10_000 {
      let folder = TimelapseFolder(TakeName.folder(start: anchor, name: nil, boot: boot, attempt: attempt), in: media)
      guard try Folder.make(folder.path) else { continue }
      try Folder.sync(media.timelapses)
      let record = record(folder.id)
      try folder.write(record)
      try PhotoFile.write([], to: markers(media), folder.id)
      return (folder, record)
    }
    throw .io(path: media.timelapses, errno: EEXIST)
  }

  func write(_ record: TimelapseRecord) throws(RecordingError) {
    try PhotoFile.write(ManifestFile.json(record) + [UInt8(ascii: "\n")], to: path, Self.recordName)
  }

  /// It does not go on.
  func close() {
    unlink(marker)
    try? Folder.sync(Self.markers(media))
  }

  /// With what is in the folder now. Nil: it is none.
  package func read() -> TimelapseRecord? {
    guard let bytes = try? Folder.read(path + "/" + Self.recordName, limit: 4 << 20),
      var record = try? JSONDecoder().decode(TimelapseRecord.self, from: Data(bytes))
    else { return nil }
    record.timelapse = id
    // The files are the truth.
    let names = Folder.names(path)
    for index in record.cameras.indices {
      let pictures = Self.pictures(of: record.cameras[index].stem, in: names)
      record.cameras[index].pictures = pictures.count
      record.cameras[index].last = pictures.last
    }
    return record
  }

  /// Names of a camera's pictures in their order.
  func pictures(of stem: String) -> [String] { Self.pictures(of: stem, in: Folder.names(path)) }

  static func picture(_ stem: String, _ number: Int) -> String { "\(stem)-\(ShotName.padded(number, 6)).jpg" }

  static func number(_ name: String, of stem: String) -> Int? {
    guard name.hasPrefix(stem + "-"), name.hasSuffix(".jpg") else { return nil }
    let digits = name.dropFirst(stem.count + 1).dropLast(4)
    return digits.utf8.count == 6 && digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
  }

  private static func pictures(of stem: String, in names: [String]) -> [String] {
    names.filter { number($0, of: stem) != nil }.sorted()
  }
}
