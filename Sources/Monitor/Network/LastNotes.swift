import CamrigModel
import Dispatch

/// Those who still pass on to their monitors what the rig has told. When it ends they are waited for, so that the last
/// words are on their way before the connections close.
final class LastNotes: Sendable {
  private let group = DispatchGroup()

  func begin() { group.enter() }
  func end() { group.leave() }

  /// Blocks.
  func wait(within limit: Duration) { _ = group.wait(timeout: .now() + .nanoseconds(Int(limit.inNanoseconds))) }
}
