import CamrigModel

/// What a registry must remember of a camera or a microphone to know it again.
package protocol RememberedDevice: Hashable, Sendable {
  associatedtype ID: DeviceID

  var name: String { get set }
  var recognition: CameraSettings.Recognition { get set }
  var fingerprint: CameraFingerprint { get set }
  /// Where it was last.
  var place: CameraPlace { get set }
  var port: String { get set }
  var firstSeen: WallTime? { get set }
  var lastSeen: WallTime? { get set }
  var aliases: [ID] { get set }

  init(name: String, recognition: CameraSettings.Recognition, fingerprint: CameraFingerprint, place: CameraPlace)
}

extension CameraSettings: RememberedDevice {}
