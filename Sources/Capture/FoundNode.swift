/// A node of video4linux or ALSA as udev describes it, before anybody has opened it.
package struct FoundNode: Hashable, Sendable {
  /// `/sys/devices/…/video4linux/video0`: the same as long as it stays plugged in.
  package var sysPath: String
  /// `/dev/video0`
  package var node: String
  /// udev's properties (`ID_SERIAL_SHORT`, `ID_PATH` …).
  package var properties: [String: String]
  /// Counts the nodes of one driver instance, from 0.
  package var index: Int
  /// The place of the driver's device in the device tree, `/axi/pcie@1000120000/rp1/csi@110000`.
  package var deviceTreePath: String?
  /// The USB device that it is a part of, in sysfs: cameras and microphones that share it are one thing.
  package var usbDevice: String?
  /// What the device calls itself, where opening it need not be asked.
  package var label = ""

  package init(
    sysPath: String, node: String, properties: [String: String] = [:], index: Int = 0, deviceTreePath: String? = nil,
    usbDevice: String? = nil, label: String = ""
  ) {
    self.sysPath = sysPath
    self.node = node
    self.properties = properties
    self.index = index
    self.deviceTreePath = deviceTreePath
    self.usbDevice = usbDevice
    self.label = label
  }

  package var isUSB: Bool { properties["ID_BUS"] == "usb" || properties["ID_USB_INTERFACE_NUM"] != nil }

  /// Of the device that the node belongs to: a USB interface, a platform device.
  var parentSysPath: String {
    let parts = sysPath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(2).joined(separator: "/")
  }
}
