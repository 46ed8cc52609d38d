import CamrigModel

/// A filled buffer that the driver lent us, until `VideoDevice.giveBack`.
package struct VideoBuffer {
  package let index: Int
  /// Valid until the buffer is given back.
  package let bytes: UnsafeRawBufferPointer
  package let sequence: UInt32
  package let timestamp: MediaTime
  /// The timestamp is of `CLOCK_MONOTONIC`; else of a clock that nobody told us.
  package let timestampIsMonotonic: Bool
  /// `V4L2_BUF_FLAG_ERROR`: the driver says that the bytes are spoilt.
  package let isErrorFlagged: Bool
}

/// What ended a wait for a picture.
package enum VideoEvent {
  case buffer(VideoBuffer)
  case timeout
  /// The other descriptor became readable.
  case woken
  /// `V4L2_EVENT_SOURCE_CHANGE`: the signal that the device captures has another size now.
  case sourceChanged
}
