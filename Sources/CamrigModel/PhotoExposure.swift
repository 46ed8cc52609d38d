/// How a camera was set when it took a picture. Nil: not known.
package struct PhotoExposure: Hashable, Sendable {
  /// What the shutter was open; only where the camera did not choose it itself meanwhile.
  package var time: Duration?
  package var isAutomatic: Bool?
  package var whiteBalanceIsAutomatic: Bool?

  package init(time: Duration? = nil, isAutomatic: Bool? = nil, whiteBalanceIsAutomatic: Bool? = nil) {
    self.time = time
    self.isAutomatic = isAutomatic
    self.whiteBalanceIsAutomatic = whiteBalanceIsAutomatic
  }
}
