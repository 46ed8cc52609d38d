import CamrigModel
import Settings

/// A microphone that is plugged in now.
package struct PresentMicrophone: PresentDevice, Hashable {
  package var sysPath: String
  /// `/dev/snd/pcmC1D0c`
  package var node: String
  package var fingerprint: CameraFingerprint
  package var place: CameraPlace
  package var port: String
  /// What it is a part of: the USB device, in sysfs. A camera below the same path is its companion.
  package var whole: String?

  package init(
    sysPath: String, node: String, fingerprint: CameraFingerprint, place: CameraPlace, port: String,
    whole: String? = nil
  ) {
    self.sysPath = sysPath
    self.node = node
    self.fingerprint = fingerprint
    self.place = place
    self.port = port
    self.whole = whole
  }

  package init(_ found: FoundNode) {
    let properties = found.properties
    // A card may have several; the first one goes by the interface alone.
    let number = found.index == 0 ? "" : ".\(found.index)"
    let interface = found.isUSB ? (properties["ID_USB_INTERFACE_NUM"] ?? "") + number : ""
    let card = properties[FoundNode.cardID] ?? ""
    let path = properties["ID_PATH"]
    if found.isUSB, let path {
      place = CameraPlace(.usbPort, path, interface: interface)
    } else if let tree = found.deviceTreePath {
      place = CameraPlace(.deviceTree, tree + "/" + card + number)
    } else {
      place = CameraPlace(.bus, (path ?? "alsa") + "-" + card + number)
    }
    fingerprint = CameraFingerprint(
      vendor: found.isUSB ? properties["ID_VENDOR_ID"] ?? "" : "",
      product: found.isUSB ? properties["ID_MODEL_ID"] ?? "" : "",
      serial: found.isUSB ? properties["ID_SERIAL_SHORT"] ?? "" : "", interface: interface, card: found.label)
    sysPath = found.sysPath
    node = found.node
    port = path ?? place.path
    whole = found.usbDevice
  }

  /// The camera of the same device; where it has several, the one whose ID comes first.
  /// - Parameter cameras: where those that are plugged in are in sysfs.
  package func companion(among cameras: [CameraID: String]) -> CameraID? {
    guard let whole else { return nil }
    return cameras.filter { $0.value == whole || $0.value.hasPrefix(whole + "/") }.keys.min()
  }
}
