import CamrigModel

/// How many takes are read at once beside other wishes. A connection that asks for one more waits for it as for anything else,
/// so that nobody has the rig read without bound.
final class ProofRoom: Sendable {
  private static let most = 4
  private let count = Guarded(0)

  /// Each that is true needs a `leave`.
  func enter() -> Bool {
    count.withLock { count in
      guard count < Self.most else { return false }
      count += 1
      return true
    }
  }

  func leave() { count.withLock { $0 -= 1 } }
}
