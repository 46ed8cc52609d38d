/// Why somebody wants a microphone open.
package enum MicrophoneDemand: String, CaseIterable, Sendable {
  case take
  /// Kept open for the pre-roll.
  case armed
  case preview
  case meter
}
