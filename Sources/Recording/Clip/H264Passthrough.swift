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
  private let askForKeyframe: @Sendable () -> Void

  /// - Parameter known: parameter sets that the camera sent before the take; some send them once only.
  init(format: VideoFormat, known: H264ParameterSets, askForKeyframe: @escaping @Sendable () -> Void) {
    self.format = format
    size = format.size
    sets = known
    self.askForKeyframe = askForKeyframe
  }

  func take(_ frame: Frame) -> [MadePicture] {
    let bytes = frame.unsafeBytes
    do throws(H264Fault) {
      let unit = try H264AccessUnit(bytes)
      if sets.take(unit, from: bytes) { changes += 1 }
      guard unit.hasPicture else {
        // Counted by the driver, but only parameter sets are in it.
        return [.lost(Self.loss(frame, .empty))]
      }
      size = frame.size
      return [
        .picture(
          Picture(
            run: frame.run, sequence: frame.sequence, time: frame.presentationTime,
            isKeyframe: unit.isKeyframe && sets.isComplete, payload: .units(frame, unit.sampleUnits),
            form: PictureForm(format: .h264, size: frame.size, parameters: changes)))
      ]
    } catch {
      return [.lost(Self.loss(frame, .broken))]
    }
  }

  private static func loss(_ frame: Frame, _ cause: LossCause) -> Loss {
    Loss(cause: cause, run: frame.run, firstSequence: frame.sequence, count: 1, time: frame.presentationTime)
  }

  func flush() -> [MadePicture] { [] }
  var isHolding: Bool { false }
  func requestKeyframe() { askForKeyframe() }

  var media: TrackMedia? {
    sets.isComplete ? .h264(size, sps: sets.sequence, pps: sets.picture) : nil
  }

  var container: MovieContainer { .mp4 }
  var encoderName: String? { nil }
}
