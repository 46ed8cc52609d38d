import Settings

/// A device that is plugged in now, as far as telling who it is goes.
package protocol PresentDevice: Sendable {
  /// The node's path in sysfs: the same as long as it stays plugged in.
  var sysPath: String { get }
  var fingerprint: CameraFingerprint { get }
  var place: CameraPlace { get }
  /// udev's `ID_PATH`, or what stands for it: for people.
  var port: String { get }
}

package typealias CameraIdentity = DeviceIdentity<CameraSettings>
package typealias MicrophoneIdentity = DeviceIdentity<MicrophoneSettings>
