import CamrigModel
import Codec
import Frames
import Movie

/// Raw pictures as JPEGs, made in the recorder's own thread.
final class JPEGPictures: PictureMaker {
  let format: VideoFormat
  private let encoder: RawJPEGEncoder

  init(format: VideoFormat, rateFactor: Int) throws(CodecError) {
    self.format = format
    encoder = try RawJPEGEncoder(format: format, rateFactor: rateFactor)
  }

  func take(_ frame: Frame) -> [MadePicture] {
    do throws(CodecError) {
      let jpeg = try encoder.encode(frame)
      return [
        .picture(
          Picture(
            run: frame.run, sequence: frame.sequence, time: frame.presentationTime, isKeyframe: true,
            payload: .whole(jpeg), form: PictureForm(format: .mjpeg, size: frame.size, parameters: 0)))
      ]
    } catch {
      return [
        .lost(
          Loss(
            cause: .encoder, run: frame.run, firstSequence: frame.sequence, count: 1, time: frame.presentationTime)),
        .trouble(error.description),
      ]
    }
  }

  func flush() -> [MadePicture] { [] }
  var isHolding: Bool { false }
  func requestKeyframe() {}
  var media: TrackMedia? { .mjpeg(format.size) }
  var container: MovieContainer { .quickTime }
  var encoderName: String? { RawJPEGEncoder.name }
}
