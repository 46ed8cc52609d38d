import CamrigModel
import Codec
import Frames
import Movie

/// H.264 as the camera gives it: the same slices, with lengths in place of start codes.
final class H264Passthrough: PictureMaker {
  let format: VideoFormat
  private var size: PixelSize
  private var sets: H264ParameterSets
  private var changes = 0

  /// - Parameter known: parameter sets that the camera sent before the take; some send them once only.
  init(format: VideoFormat, known: H264ParameterSets) {
    self.format = format
    size = format.size
    sets = known
  }

  func take(_ frame: Frame) -> PictureOutcome {
    let bytes = frame.unsafeBytes
    do throws(H264Fault) {
      let unit = try H264AccessUnit(bytes)
      if sets.take(unit, from: bytes) { changes += 1 }
      guard unit.hasPicture else { return .refused(.empty, why: "the buffer holds parameter sets only") }
      size = frame.size
      return .pictures([
        Picture(
          run: frame.run, sequence: frame.sequence, time: frame.presentationTime,
          isKeyframe: unit.isKeyframe && sets.isComplete, payload: .units(frame, unit.sampleUnits),
          form: PictureForm(format: .h264, size: frame.size, parameters: changes))
      ])
    } catch {
      return .refused(.broken, why: "\(error)")
    }
  }

  func flush() -> [Picture] { [] }

  var media: TrackMedia? {
    sets.isComplete ? .h264(size, sps: sets.sequence, pps: sets.picture) : nil
  }

  var container: MovieContainer { .mp4 }
  var encoderName: String? { nil }
}
