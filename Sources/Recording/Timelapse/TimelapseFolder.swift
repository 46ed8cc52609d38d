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

  /// The newest of all is `last`.
  static func find(_ id: String, in media: MediaDirectory) throws(TimelapseError) -> TimelapseFolder {
    if id == "last" {
      guard let newest = all(in: media).first else { throw .noneYet }
      return newest
    }
    guard MediaDirectory.isTakeName(id) else { throw .unknown(id) }
    return TimelapseFolder(id, in: media)
  }

  /// With what is in the folder now. Nil: it is none.
  package func read() -> TimelapseRecord? { read(Folder.names(path)) }

  /// The same with its movies.
  func readWithMovies() -> TimelapseRecord? {
    let names = Folder.names(path)
    guard var record = read(names) else { return nil }
    let movies = names.sorted().compactMap { name -> TimelapseRecord.Movie? in
      // Of "left" and "left-2" the longer one is meant.
      let cameras = record.cameras.filter { TimelapseMovieMaker.isMovie(name, of: $0.stem) }
      guard let camera = cameras.max(by: { $0.stem.utf8.count < $1.stem.utf8.count }),
        let bytes = Folder.byteCount(path + "/" + name)
      else { return nil }
      return TimelapseRecord.Movie(
        camera: camera.camera, file: name, bytes: Int64(clamping: bytes), path: "/timelapses/\(id)/\(name)")
    }
    if !movies.isEmpty { record.movies = movies }
    return record
  }

  private func read(_ names: [String]) -> TimelapseRecord? {
    guard let bytes = try? Folder.read(path + "/" + Self.recordName, limit: 4 << 20),
      var record = try? JSONDecoder().decode(TimelapseRecord.self, from: Data(bytes))
    else { return nil }
    record.timelapse = id
    // The files are the truth.
    for index in record.cameras.indices {
      let pictures = Self.pictures(of: record.cameras[index].stem, in: names)
      record.cameras[index].pictures = pictures.count
      record.cameras[index].last = pictures.last
    }
    return record
  }

  /// Names of a camera's pictures in their order.
  func pictures(of stem: String) -> [String] { Self.pictures(of: stem, in: Folder.names(path)) }

  private static func pictures(of stem: String, in names: [String]) -> [String] {
    names.filter { TimelapsePicture.number($0, of: stem) != nil }.sorted()
  }
}
