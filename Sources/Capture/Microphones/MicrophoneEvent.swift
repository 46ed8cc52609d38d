import CamrigModel

/// What happens to the rig's microphones.
package enum MicrophoneEvent: Hashable, Sendable {
  /// It came, went, or its state, name or settings are others.
  case changed(MicrophoneID)
  case forgotten(MicrophoneID)
}
