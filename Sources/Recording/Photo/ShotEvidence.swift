import CamrigModel
import Codec

/// What a shot's photos tell of it when `shot.json` is missing: a power cut came before it, or somebody has removed it.
enum ShotEvidence {
  static func record(of folder: ShotFolder) -> ShotRecord? {
    let photos = Folder.names(folder.path).filter { $0.hasSuffix(".jpg") && MediaDirectory.isTakeName($0) }.sorted()
      .compactMap { photo($0, folder) }
    guard let first = photos.first else { return nil }
    return ShotRecord(shot: folder.shot, at: first.at, source: .stream, photos: photos)
  }

  /// Nil for a file that is no whole JPEG.
  private static func photo(_ name: String, _ folder: ShotFolder) -> PhotoRecord? {
    let path = folder.path + "/" + name
    guard let bytes = try? Folder.read(path), let size = size(bytes) else { return nil }
    // `SHOT-STEM.jpg`; of a burst there is a number behind the stem.
    var stem = name.dropLast(4)
    if stem.hasPrefix(folder.shot + "-") { stem = stem.dropFirst(folder.shot.count + 1) }
    var number = 1
    if let dash = stem.lastIndex(of: "-"), let found = Int(stem[stem.index(after: dash)...]), stem.suffix(4).count == 4
    {
      number = found
      stem = stem[..<dash]
    }
    return PhotoRecord(
      camera: CameraID(String(stem)), cameraName: String(stem), file: name, bytes: bytes.count, size: size,
      at: Folder.changed(path) ?? WallTime(nanoseconds: 0), number: number)
  }

  private static func size(_ bytes: [UInt8]) -> PixelSize? {
    guard case .good(let layout) = bytes.withUnsafeBytes({ JPEGCheck.check($0, expecting: nil) }) else { return nil }
    return layout.size
  }
}
