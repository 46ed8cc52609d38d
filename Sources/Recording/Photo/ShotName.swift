import CamrigModel

/// Names of shots' folders and of photos. The same promises as `TakeName`: UTC on every path, characters that every
/// file system and URL takes, never one that another shot could have had; only `mkdir` says whether it is free.
package enum ShotName {
  /// `20261130T090507.123Z`; `…-3f2a9c01` with the boot's mark where the time of day cannot be trusted; `…-2` from the
  /// second attempt on, as of two shots in one millisecond.
  package static func folder(at wall: WallTime, sync: ClockSync, boot: String, attempt: Int) -> String {
    var parts = [wall.compactMilliseconds]
    switch sync {
    case .synchronised: break
    case .unsynchronised, .unknown: parts.append(boot)
    }
    if attempt > 1 { parts.append(String(attempt)) }
    return parts.joined(separator: "-")
  }

  /// `20261130T090507.123Z-left.jpg`, of a burst `…-left-007.jpg`: it stays the only one of its name when it is copied
  /// somewhere else.
  package static func photo(shot: String, stem: String, number: Int, of count: Int) -> String {
    guard count > 1 else { return "\(shot)-\(stem).jpg" }
    return "\(shot)-\(stem)-\(padded(number, 3)).jpg"
  }

  package static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
