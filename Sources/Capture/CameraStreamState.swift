import CamrigModel
import Codec

/// How a camera is doing, at one moment.
package struct CameraStreamState: Hashable, Sendable {
  package var state: CameraState
  /// The state in words, with the cure where something is wrong; empty when all is well.
  package var message: String
  /// Nil when all is well.
  package var cause: CameraCause?
  /// When that state or cause began.
  package var since: WallTime?
  /// Nil until it was asked, and while offline.
  package var device: DeviceDescription?
  /// Only while it is open.
  package var granted: VideoFormat?
  package var stream: StreamStatus?
  /// Pictures come, but nobody could decode a recording of them: why.
  package var undecodable: String?
  /// What a person may want to know, with what to do about it.
  package var hints: [String] = []
  /// Its USB bus had no room for what it was asked for.
  package var isBusFull = false
  /// Why pictures in its present format cannot be turned.
  package var turnRefusal: TurnRefusal?
  /// The same in words, with what can be done.
  package var turnAdvice: String? { turnRefusal?.advice(offered: device?.formats.compactMap(\.pixelFormat) ?? []) }
  /// What comes out, where pictures are turned.
  package var delivered: VideoFormat?
}
