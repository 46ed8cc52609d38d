/// Where a camera is plugged in: what stays the same over reboots as long as nobody moves the cable.
package struct CameraPlace: Hashable, Codable, Sendable, CustomStringConvertible {
  package enum Kind: String, Codable, Sendable {
    /// udev's `ID_PATH` of a USB interface: `pci-0000:00:14.0-usb-0:1.2:1.0`.
    case usbPort
    /// Of a CSI receiver in the device tree: `/axi/pcie@1000120000/rp1/csi@110000`.
    case deviceTree
    /// Anything else: the driver, its `bus_info` and the node's index, `vivid-platform:vivid-000-0`.
    case bus
  }

  package let kind: Kind
  package let path: String
  /// The USB interface (`00`); empty elsewhere.
  package let interface: String

  package init(_ kind: Kind, _ path: String, interface: String = "") {
    self.kind = kind
    self.path = path
    self.interface = interface
  }

  package var description: String { path }
}
