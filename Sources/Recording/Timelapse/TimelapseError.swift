import CamrigModel

/// Why a timelapse does not do what was asked, in the words that the operator reads.
package enum TimelapseError: Error, Equatable, CustomStringConvertible {
  case interval
  case noCameras
  case running(String)
  case notRunning
  case unknown(String)
  case noneYet
  case noPictures(String)
  /// A movie of its pictures without encoding them anew cannot be.
  case sizes(file: String, size: PixelSize, before: PixelSize)
  case noJPEG(String)
  case movie(String)
  case stopping
  case volume(RecordingError)
  /// There is a second directory, which takes and photos use then.
  case firstVolume(RecordingError)

  /// For a timelapse that ends, too.
  static let firstVolumeOnly = " A timelapse is kept in MediaDirectory= only, never in SecondDirectory=."

  package var description: String {
    switch self {
    case .interval: "The interval of a timelapse is 1 second to 86400 (a day)."
    case .noCameras: PhotoError.noCameras.description
    case .running(let id): "Timelapse \(id) is running. Stop it first: camrigctl timelapse stop"
    case .notRunning: "No timelapse is running. Begin one with: camrigctl timelapse start --interval 10"
    case .unknown(let id): "There is no timelapse \(id). See camrigctl timelapse list."
    case .noneYet: "There is no timelapse yet. Begin one with: camrigctl timelapse start --interval 10"
    case .noPictures(let id): "Timelapse \(id) has no picture yet."
    case .sizes(let file, let size, let before):
      "\(file) is \(size), those before it are \(before). A movie is made of the pictures as they are, so they must be "
        + "of one size: move those of the other size elsewhere, or encode them, for example with ffmpeg -pattern_type glob."
    case .noJPEG(let file): "\(file) is no whole JPEG. Move it elsewhere, and make the movie again."
    case .movie(let why): "The movie could not be made: \(why)"
    case .stopping: PhotoError.stopping.description
    case .volume(let error): error.description
    case .firstVolume(let error): error.description + Self.firstVolumeOnly
    }
  }
}
