import CamrigModel

/// Whether somebody is still at the other end of a WebSocket. Whoever is has sent something, if only the answer to a ping;
/// where that answer has to wait behind pictures on a slow link, what its TCP acknowledges meanwhile counts as well.
package struct LifeSigns {
  /// What the kernel tells of a connection.
  package struct Progress: Hashable, Sendable {
    let acknowledgedBytes: UInt64
    /// Something is on its way, or waits for it.
    let isOutstanding: Bool
    let receivedBytes: UInt64

    package init(acknowledgedBytes: UInt64, isOutstanding: Bool, receivedBytes: UInt64 = 0) {
      self.acknowledgedBytes = acknowledgedBytes
      self.isOutstanding = isOutstanding
      self.receivedBytes = receivedBytes
    }
  }

  private let patience: Duration
  private var last: MediaTime
  private var wasHeard = false
  private var acknowledgedBytes: UInt64 = 0
  private var receivedBytes: UInt64 = 0

  package init(patience: Duration, at now: MediaTime) {
    self.patience = patience
    last = now
  }

  /// It has sent something.
  package mutating func hear() { wasHeard = true }

  /// To be asked every now and then. A machine that hangs acknowledges what it has room for, so that alone is no sign once
  /// nothing is left to be acknowledged.
  /// - Parameter progress: nil where the kernel tells none.
  package mutating func isGone(at now: MediaTime, _ progress: Progress?) -> Bool {
    let advanced = progress.map { $0.isOutstanding && $0.acknowledgedBytes != acknowledgedBytes } ?? false
    // An answer to a ping has no content, and libwebsockets does not tell of it.
    let hasSent = progress.map { $0.receivedBytes != receivedBytes } ?? false
    acknowledgedBytes = progress?.acknowledgedBytes ?? 0
    receivedBytes = progress?.receivedBytes ?? 0
    if wasHeard || advanced || hasSent { last = now }
    wasHeard = false
    return now - last >= patience
  }
}
