import CamrigModel

/// How one monitor's preview of one camera does.
package struct PreviewSenderStatus: Hashable, Sendable {
  package let sentCount: UInt64
  /// Pictures that it would have had, had its link or itself been faster.
  package let skippedCount: UInt64
  /// What it gets now, which may be less than it asked for.
  package let form: PreviewForm
  package let isReduced: Bool
  package let picturesInFlight: Int
  package let bytesInFlight: Int
  /// What its link carries; nil before the first picture was acknowledged.
  package let bytesPerSecond: Int?
  /// From sending a picture to its acknowledgement, the last time.
  package let lastTook: Duration?
}
