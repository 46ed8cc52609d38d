import CamrigModel

/// A monitor that was paired. Holds the hash of its token, never the token.
package struct PairedMonitor: Codable, Hashable, Sendable {
  /// Counts up; never given twice.
  package let id: Int
  package var name: String
  package var role: AccessRole
  package let tokenHash: String
  package let paired: WallTime
  /// To the hour, so that a busy monitor does not have its record written all the time; nil: never since.
  package var lastSeen: WallTime?
}
