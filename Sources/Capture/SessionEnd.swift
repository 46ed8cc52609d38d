import CamrigModel
import Frames

/// Why a capture session ended.
enum SessionEnd: Hashable, Sendable {
  /// Nobody wants the camera any more, it was disabled, or it is to be opened with another format.
  case ordered
  case unplugged(message: String)
  case stalled
  /// The captured signal has another size.
  case sourceChanged
  case failed(CaptureError)

  var reason: StreamEnd.Reason {
    switch self {
    case .ordered: .stopped
    case .unplugged: .unplugged
    case .stalled: .stalled
    case .sourceChanged: .reset
    case .failed: .failed
    }
  }

  /// Trouble that the other cameras of its bus may share.
  func busTrouble(hadPictures: Bool) -> BusTurns.Trouble? {
    switch self {
    case .stalled: hadPictures ? .stalled : .silent
    case .failed(let error): error.trouble == .bandwidth ? .full : nil
    case .ordered, .unplugged, .sourceChanged: nil
    }
  }

  var message: String {
    switch self {
    case .ordered: ""
    case .unplugged(let message): message
    case .stalled: "no picture came; the stream is started again"
    case .sourceChanged: "the captured signal changed its size"
    case .failed(let error): error.description
    }
  }
}
