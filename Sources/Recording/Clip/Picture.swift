import CamrigModel
import Frames

/// One picture in the form that goes into a movie.
struct Picture: Sendable {
  enum Payload: Sendable {
    case whole(Frame)
    /// H.264 from a camera: these units of the frame, each behind its length.
    case units(Frame, [Range<Int>])
  }

  var run: Int
  var sequence: UInt64
  var time: MediaTime
  var isKeyframe: Bool
  var payload: Payload
  /// What the plan of clips looks at.
  var form: PictureForm

  var byteCount: Int {
    switch payload {
    case .whole(let frame): frame.byteCount
    case .units(_, let units): units.reduce(0) { $0 + 4 + $1.count }
    }
  }
}

/// What must stay the same within a clip.
struct PictureForm: Hashable, Sendable {
  var format: PixelFormat
  var size: PixelSize
  /// Counts the changes of H.264 parameter sets.
  var parameters: Int
}
