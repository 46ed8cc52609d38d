import Frames

/// A microphone as its listeners see it; what stands behind it is the rig's affair. The closures must return at once and
/// may be called from any thread.
package struct SoundSource: Sendable {
  package var hub: SoundHub
  /// Wants the microphone open: called once for each listener that comes, and `release` once for each that goes.
  package var demand: @Sendable () -> Void
  package var release: @Sendable () -> Void

  package init(
    hub: SoundHub, demand: @escaping @Sendable () -> Void = {}, release: @escaping @Sendable () -> Void = {}
  ) {
    self.hub = hub
    self.demand = demand
    self.release = release
  }
}
