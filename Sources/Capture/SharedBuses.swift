import CamrigModel

/// The turns of all cameras of the rig.
package final class SharedBuses: Sendable {
  private let turns = Guarded(BusTurns())

  package init() {}

  func next(_ trouble: BusTurns.Trouble, of camera: CameraID, bus: String, at now: MediaTime) -> BusTurns.Turn {
    turns.withLock { $0.next(trouble, of: camera, bus: bus, at: now) }
  }
}
