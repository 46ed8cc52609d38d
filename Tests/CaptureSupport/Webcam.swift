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
}

extension NodeFacts {
  package static func webcam(formats: Int = 2) -> NodeFacts {
    NodeFacts(deviceCaps: 0x0420_0001, driver: "uvcvideo", card: "Webcam", busInfo: "usb-1", formatCount: formats)
  }
}

package func webcamID(_ serial: String) -> CameraID { CameraID("usb-046d-0825-\(serial)-00") }
package func portID(_ port: String) -> CameraID { CameraID("port-pci-usb-0:\(port):1.0-00") }
