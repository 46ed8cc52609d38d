import CamrigModel
import Capture

extension FoundNode {
  /// A webcam in a socket, as udev shows it.
  package static func webcam(_ port: String, serial: String = "", node: Int) -> FoundNode {
    FoundNode(
      sysPath: "/sys/devices/usb1/1-\(port)/1-\(port):1.0/video4linux/video\(node)", node: "/dev/video\(node)",
      properties: [
        "ID_BUS": "usb", "ID_VENDOR_ID": "046d", "ID_MODEL_ID": "0825", "ID_SERIAL_SHORT": serial,
        "ID_PATH": "pci-usb-0:\(port):1.0", "ID_USB_INTERFACE_NUM": "00", "ID_V4L_CAPABILITIES": ":capture:",
      ])
  }

  /// The microphone of a webcam in a socket, as udev shows it; ALSA's card of this number.
  package static func microphone(_ port: String, serial: String = "", card: Int, id: String = "Webcam") -> FoundNode {
    FoundNode(
      sysPath: "/sys/devices/usb1/1-\(port)/1-\(port):1.2/sound/card\(card)/pcmC\(card)D0c",
      node: "/dev/snd/pcmC\(card)D0c",
      properties: [
        "ID_BUS": "usb", "ID_VENDOR_ID": "046d", "ID_MODEL_ID": "0825", "ID_SERIAL_SHORT": serial,
        "ID_PATH": "pci-usb-0:\(port):1.2", "ID_USB_INTERFACE_NUM": "02", "CARD_ID": id,
      ], usbDevice: "/sys/devices/usb1/1-\(port)", label: "Webcam")
  }
}

extension NodeFacts {
  package static func webcam(formats: Int = 2) -> NodeFacts {
    NodeFacts(deviceCaps: 0x0420_0001, driver: "uvcvideo", card: "Webcam", busInfo: "usb-1", formatCount: formats)
  }
}

package func webcamID(_ serial: String) -> CameraID { CameraID("usb-046d-0825-\(serial)-00") }
package func portID(_ port: String) -> CameraID { CameraID("port-pci-usb-0:\(port):1.0-00") }
