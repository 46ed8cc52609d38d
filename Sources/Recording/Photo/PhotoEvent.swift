import CamrigModel

/// What a shot tells.
package enum PhotoEvent: Hashable, Sendable {
  case countdown(PhotoCountdown)
  case taken(PhotoTaken)
  case failed(PhotoFailed)
  /// Nothing more comes of it.
  case finished(ShotRecord)
}
