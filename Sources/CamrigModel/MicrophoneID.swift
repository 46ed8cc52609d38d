/// The name of a microphone that never changes, such as `usb-046d-0825-A1B2C3-02`: of the same making as `CameraID`,
/// never ALSA's number of a card.
package struct MicrophoneID: DeviceID {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package init(_ text: String) { rawValue = text }
}
