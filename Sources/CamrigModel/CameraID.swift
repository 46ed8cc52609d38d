/// The name of a camera that never changes (DESIGN rule 7), such as `usb-046d-0825-A1B2C3-00`.
package struct CameraID: DeviceID {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package init(_ text: String) { rawValue = text }
}
