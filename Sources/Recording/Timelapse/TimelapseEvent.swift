import CamrigModel

/// What a timelapse tells.
package enum TimelapseEvent: Hashable, Sendable {
  case started(TimelapseRecord)
  /// After each moment at which pictures were due.
  case advanced(TimelapseStatus)
  case stopped(TimelapseRecord)
}
