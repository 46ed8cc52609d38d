import CamrigModel

/// Names of takes' folders and clips: UTC on every path, characters that every file system and URL takes, and
/// never one that a take before could have had. Whether a name is free only `mkdir` can say; so there is always
/// a next `attempt`.
package enum TakeName {
  /// `20261130T090507Z`, `20261130T090507Z-interview`; `…-3f2a9c01` with the boot's mark where the time of day cannot be
  /// trusted; `…-2` from the second attempt on.
  package static func folder(start: ClockAnchor, name: String?, boot: String, attempt: Int) -> String {
    var parts = [start.wall.compact]
    if let name, let safe = safe(name, limit: 48) { parts.append(safe) }
    switch start.sync {
    case .synchronised: break
    case .unsynchronised, .unknown: parts.append(boot)
    }
    if attempt > 1 { parts.append(String(attempt)) }
    return parts.joined(separator: "-")
  }

  /// Stems of the clips' files (`left` in `left-001.mov`), distinct even where the file system ignores case.
  package static func stems(_ cameras: [(id: CameraID, name: String)]) -> [CameraID: String] {
    var taken: Set<String> = []
    var stems: [CameraID: String] = [:]
    for camera in cameras {
      let base = safe(camera.name, limit: 40) ?? safe(camera.id.rawValue, limit: 80) ?? "camera"
      var stem = base
      var attempt = 1
      while !taken.insert(stem.lowercased()).inserted {
        attempt += 1
        stem = "\(base)-\(attempt)"
      }
      stems[camera.id] = stem
    }
    return stems
  }

  package static func clip(stem: String, number: Int, fileExtension: String) -> String {
    let digits = String(number)
    return "\(stem)-\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits).\(fileExtension)"
  }

  /// Letters, digits, `.`, `_` and `-`; everything else becomes one `-`. Nil if nothing is left.
  package static func safe(_ text: String, limit: Int) -> String? {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
        bytes.append(byte)
      default:
        if bytes.last != UInt8(ascii: "-") { bytes.append(UInt8(ascii: "-")) }
      }
    }
    let edges: Set<UInt8> = [UInt8(ascii: "-"), UInt8(ascii: ".")]
    let trimmed = bytes.drop { edges.contains($0) }.prefix(limit)
    guard let end = trimmed.lastIndex(where: { !edges.contains($0) }) else { return nil }
    return String(decoding: trimmed[...end], as: UTF8.self)
  }
}
