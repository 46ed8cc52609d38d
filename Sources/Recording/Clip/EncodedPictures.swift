import CamrigModel
import Codec
import Frames
import Movie

/// Raw pictures, encoded in the recorder's own thread.
final class EncodedPictures: PictureMaker {
  let format: VideoFormat
  private let make: EncoderMaker
  private var settings: EncoderSettings
  /// Nil after a flush: a finished encoder takes no more, the next picture gets a new one.
  private var encoder: (any VideoEncoder)?
  private var sets: H264ParameterSets
  private var changes = 0
  /// Given to the encoder, not come out yet; oldest first.
  private var inside: [Loss] = []

  init(format: VideoFormat, settings: EncoderSettings, make: @escaping EncoderMaker) throws(CodecError) {
    self.format = format
    self.settings = settings
    self.make = make
    let first = try make(format, settings)
    encoder = first
    sets = first.parameterSets
  }

  func take(_ frame: Frame) -> [MadePicture] {
    let loss = Loss(of: frame, .encoder)
    do throws(CodecError) {
      let encoder: any VideoEncoder
      if let present = self.encoder { encoder = present } else { encoder = try make(format, settings) }
      self.encoder = encoder
      let pictures = try encoder.encode(frame)
      inside.append(loss)
      return made(pictures, encoder)
    } catch {
      // What hardware has failed at is better left to libx264; what a picture fails at is over with it.
      let given = error.isOfEncoder ? giveUp() : []
      return given + [.lost(loss), .trouble(error.description)]
    }
  }

  private func giveUp() -> [MadePicture] {
    encoder = nil
    settings = EncoderSettings(
      choice: .software, rateFactor: settings.rateFactor, keyframeInterval: settings.keyframeInterval)
    defer { inside = [] }
    return inside.map(MadePicture.lost)
  }

  func flush() -> [MadePicture] {
    guard let encoder else { return [] }
    self.encoder = nil
    var rest: [MadePicture] = []
    do throws(CodecError) {
      rest = made(try encoder.finish(), encoder)
    } catch {
      rest = [.trouble(error.description)]
    }
    defer { inside = [] }
    return rest + inside.map(MadePicture.lost)
  }

  /// Pictures come out in order; one that a later one has overtaken will never come.
  private func made(_ pictures: [EncodedPicture], _ encoder: any VideoEncoder) -> [MadePicture] {
    if encoder.parameterSets != sets {
      sets = encoder.parameterSets
      changes += 1
    }
    var made: [MadePicture] = []
    for picture in pictures {
      while let oldest = inside.first {
        inside.removeFirst()
        if oldest.firstSequence == picture.sequence, oldest.run == picture.run { break }
        made.append(.lost(oldest))
      }
      made.append(
        .picture(
          Picture(
            run: picture.run, sequence: picture.sequence, time: picture.presentationTime,
            isKeyframe: picture.isKeyframe && sets.isComplete, payload: .whole(picture.sample),
            form: PictureForm(format: .h264, size: format.size, parameters: changes))))
    }
    return made
  }

  var isHolding: Bool { !inside.isEmpty }
  func requestKeyframe() { encoder?.requestKeyframe() }

  var media: TrackMedia? {
    sets.isComplete ? .h264(format.size, sps: sets.sequence, pps: sets.picture) : nil
  }

  var container: MovieContainer { .mp4 }
  var encoderName: String? { encoder?.encoderName }
}
