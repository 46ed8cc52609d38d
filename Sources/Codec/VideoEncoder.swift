import CamrigModel
import Frames

/// Turns the raw pictures of one camera into H.264, in order, without reordering. For one owner.
package protocol VideoEncoder: AnyObject {
  /// For people, such as `libx264 (veryfast)`.
  var encoderName: String { get }
  /// Known from the start with most encoders, with all once a keyframe has come.
  var parameterSets: H264ParameterSets { get }
  /// Makes the next picture a keyframe.
  func requestKeyframe()
  /// - Returns: what is ready: usually this very picture; hardware may keep a few for later. One that never comes
  ///   though a later one did is lost.
  func encode(_ frame: Frame) throws(CodecError) -> [EncodedPicture]
  /// The pictures still inside. Afterwards the encoder takes no more.
  func finish() throws(CodecError) -> [EncodedPicture]
}

/// A picture that came out of an encoder.
package struct EncodedPicture: Sendable {
  /// H.264 as a movie's sample: each NAL unit with four bytes of length in front, not in Annex B as from a camera.
  /// Time, run and sequence are those of the raw picture, exactly.
  package let sample: Frame

  package init(sample: Frame) { self.sample = sample }

  package var presentationTime: MediaTime { sample.presentationTime }
  package var isKeyframe: Bool { sample.isKeyframe }
  package var run: Int { sample.run }
  package var sequence: UInt64 { sample.sequence }
}
