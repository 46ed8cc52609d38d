import CamrigModel
import RigClient

/// What came of one camera's pictures.
struct TimelapseSequence: Encodable {
  let camera: CameraID
  /// On the rig, when they were listed.
  let pictures: Int
  private(set) var present = 0
  private(set) var fetched = 0
  private(set) var bytes: Int64 = 0

  /// Some may have been added, but none is ever taken away by the rig.
  var isWhole: Bool { present + fetched >= pictures }

  var words: String {
    let there = present == 0 ? "" : ", \(present) were there already"
    return "\(fetched) pictures, \(text(bytes: bytes))\(there)"
  }

  /// A number that the rig has no picture of was missed.
  static func fetch(_ camera: TimelapseRecord.Camera, by download: FolderDownload) throws -> TimelapseSequence {
    var sequence = TimelapseSequence(camera: camera.camera, pictures: camera.pictures)
    let last = camera.last.flatMap { TimelapsePicture.number($0, of: camera.stem) } ?? 0
    for number in 1..<(last + 1) {
      switch try download.fetchUnchanging(TimelapsePicture.name(camera.stem, number)) {
      case .present: sequence.present += 1
      case .fetched(let bytes):
        sequence.fetched += 1
        sequence.bytes += bytes
      case nil: break
      }
    }
    return sequence
  }

  private init(camera: CameraID, pictures: Int) {
    self.camera = camera
    self.pictures = pictures
  }
}
