import CamrigModel
import Codec

/// Makes the encoder for a raw camera's run, in the thread that will use it.
package typealias EncoderMaker = @Sendable (VideoFormat, EncoderSettings) throws(CodecError) -> any VideoEncoder

/// What all writers of a take share.
struct TakeContext: Sendable {
  let id: String
  let name: String?
  let start: ClockAnchor
  let folder: String
  /// Held as long as any writer lives, also one that was left to itself.
  let claim: TakeClaim
  let options: RecordingOptions
  let limits: ClipPlan.Limits
  let clock: any RigClock
  let files: any ClipFiles
  let encoders: EncoderMaker
  let book: TakeBook
  let tell: @Sendable (TakeEvent) -> Void
  /// The first picture of a camera is in a file that a power cut cannot take.
  let delivered: @Sendable (CameraID) -> Void
  /// Nothing more can be recorded to this volume.
  let failed: @Sendable (TakeStop) -> Void
}
