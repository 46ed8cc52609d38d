/// Why somebody wants a camera open.
package enum CameraDemand: String, CaseIterable, Codable, Sendable {
  case take
  /// Kept open for the pre-roll.
  case armed
  case preview
  case photo
  case timelapse
  /// A look whether it works at all.
  case probe
}
