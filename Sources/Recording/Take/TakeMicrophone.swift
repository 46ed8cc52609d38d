import CamrigModel
import Frames

/// A microphone as a take sees it; what stands behind it is the rig's affair. It need not be there: its track is silent
/// until its hub says that a run has started.
package struct TakeMicrophone: Sendable {
  package var id: MicrophoneID
  package var name: String
  package var hub: SoundHub
  /// Added to the time stamps of its sound: positive, and it is heard later.
  package var offset: Duration
  /// Wants the microphone open, and no more; once for a take, however many cameras it serves.
  package var demand: @Sendable () -> Void
  package var release: @Sendable () -> Void

  package init(
    id: MicrophoneID, name: String, hub: SoundHub, offset: Duration = .zero,
    demand: @escaping @Sendable () -> Void = {}, release: @escaping @Sendable () -> Void = {}
  ) {
    self.id = id
    self.name = name
    self.hub = hub
    self.offset = offset
    self.demand = demand
    self.release = release
  }
}
