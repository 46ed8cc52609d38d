import CamrigModel
import Codec
import Frames
import Glibc

/// What became of one camera's picture.
enum PhotoOutcome: Sendable {
  /// With the exposure's spread in milliseconds.
  case photo(PhotoRecord, spread: Double?)
  case failure(PhotoFailure, isVolume: Bool)
}

/// Makes photos of pictures, and brings them to the volume. Blocks.
struct PhotoDesk: Sendable {
  let reserve: DiskReserve
  let rig: String
  let software: String
  /// The time of day has never been set: it is written nowhere.
  let isUntimely: Bool
  /// Nil: none was asked for.
  var light: PhotoFlash.Lit?
  /// Those that recorded its cameras when it was taken.
  var takes: [CameraID: String] = [:]

  /// - Parameter place: folder, file name and number of a camera's photo.
  func write(
    _ exposure: PhotoSession.Exposure,
    _ place: (CameraID) -> (folder: String, name: String, number: Int)
  ) -> [PhotoOutcome] {
    var outcomes = exposure.failures.map { camera, message in
      PhotoOutcome.failure(
        PhotoFailure(camera: camera.id, cameraName: camera.name, message: message), isVolume: false)
    }
    let spread = exposure.spread.map { $0.inSeconds * 1000 }
    for picture in exposure.pictures {
      let (folder, name, number) = place(picture.camera.id)
      let camera = picture.camera
      let at = exposure.anchor.wallTime(of: picture.jpeg.presentationTime)
      do throws(RecordingError) {
        let bytes = photo(picture, at)
        try PhotoFile.write(bytes, to: folder, name, reserve: reserve)
        outcomes.append(
          .photo(
            PhotoRecord(
              camera: camera.id, cameraName: camera.name, file: name, bytes: bytes.count, size: picture.jpeg.size,
              at: at, number: number, encoded: picture.isEncoded,
              flash: light?.shines(on: camera.id) == true ? true : nil, take: takes[camera.id]),
            spread: spread))
      } catch {
        outcomes.append(
          .failure(
            PhotoFailure(camera: camera.id, cameraName: camera.name, message: error.description), isVolume: true))
      }
    }
    return outcomes
  }

  private func photo(_ picture: PhotoSession.Exposure.Picture, _ at: WallTime) -> [UInt8] {
    let camera = picture.camera
    let facts = PhotoFacts(
      size: picture.jpeg.size, taken: isUntimely ? nil : at, offsetSeconds: LocalTime.offsetSeconds(at: at),
      camera: camera.name, model: camera.device?.card, rig: rig, software: software, exposure: camera.exposure(),
      flash: light.map { $0.shines(on: camera.id) ? .fired : .failed } ?? .off)
    return picture.jpeg.withBytes { bytes in
      // The hub has checked it; if its headers are beyond us all the same, the picture is worth more than its EXIF.
      PhotoJPEG.make(bytes, facts: facts) ?? Array(bytes)
    }
  }
}

extension ClockAnchor {
  /// Before that no clock of a rig can be: it has never been set.
  private static let clocksBegin = WallTime(rfc3339: "2024-01-01T00:00:00Z") ?? WallTime(nanoseconds: 0)

  var isUntimely: Bool { sync != .synchronised && wall < Self.clocksBegin }
}

enum LocalTime {
  /// Of the machine's time zone from UTC, at that moment.
  static func offsetSeconds(at wall: WallTime) -> Int {
    var seconds = time_t(wall.nanoseconds / 1_000_000_000)
    var parts = tm()
    return localtime_r(&seconds, &parts) == nil ? 0 : parts.tm_gmtoff
  }
}
