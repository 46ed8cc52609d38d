import Capture
import Settings
import Testing

@Suite("Which nodes are cameras")
struct CameraSelectionTests {
  private func node(_ sysPath: String, index: Int = 0, _ properties: [String: String] = [:]) -> FoundNode {
    FoundNode(
      sysPath: sysPath, node: "/dev/" + (sysPath.split(separator: "/").last ?? ""), properties: properties, index: index
    )
  }

  private func facts(
    _ caps: UInt32, driver: String = "uvcvideo", card: String = "Cam", bus: String = "usb-1", formats: Int = 1
  ) -> NodeFacts {
    NodeFacts(deviceCaps: caps, driver: driver, card: card, busInfo: bus, formatCount: formats)
  }

  private let webcam = [
    "ID_BUS": "usb", "ID_VENDOR_ID": "046d", "ID_MODEL_ID": "0825", "ID_SERIAL_SHORT": "A1",
    "ID_PATH": "pci-usb-0:1:1.0", "ID_USB_INTERFACE_NUM": "00", "ID_V4L_CAPABILITIES": ":capture:",
  ]

  @Test(
    "a node is judged by its own abilities",
    arguments: [
      (UInt32(0x0420_0001), "uvcvideo", true),
      (0x04A0_0000, "uvcvideo", false),  // metadata
      (0x0420_4000, "bcm2835-codec", false),  // memory to memory, multi-planar
      (0x0420_8000, "vim2m", false),  // memory to memory
      (0x0420_0002, "vivid", false),  // output
      (0x0420_0003, "old-codec", false),  // output and capture
      (0x1420_0001, "atmel_mxt_ts", false),  // touch pad
      (0x0420_1000, "pispbe", false),  // image processor
      (0x0420_0001, "bcm2835-isp", false),
      (0x0520_0003, "v4l2 loopback", true),
      (0x0001_0010, "vivid", false),  // VBI
      (0, "broken", false),
    ])
  func roles(caps: UInt32, driver: String, isCamera: Bool) {
    #expect((facts(caps, driver: driver).role == .camera) == isCamera)
    #expect((facts(caps, driver: driver).role == .noCamera) != isCamera)
  }

  @Test(
    "one that gives no pictures as it is says why",
    arguments: [
      (UInt32(0x0420_0001), "unicam", 0, "media pipeline"),
      (0x0420_0001, "v4l2 loopback", 0, "no program writes"),
      (0x0100_0001, "old", 1, "streaming"),
      (0x0420_1000, "imx-capture", 1, "multi-planar"),
    ])
  func unusable(caps: UInt32, driver: String, formats: Int, words: String) {
    guard case .unusable(let reason) = facts(caps, driver: driver, formats: formats).role else {
      Issue.record("it is taken for usable, or for no camera")
      return
    }
    #expect(reason.contains(words))
  }

  @Test("a webcam and its metadata node are one camera")
  func metadata() {
    let cameras = CameraSelection.cameras(among: [
      .init(node("/sys/1-1:1.0/video4linux/video1", index: 1, webcam), .success(facts(0x04A0_0000))),
      .init(node("/sys/1-1:1.0/video4linux/video0", index: 0, webcam), .success(facts(0x0420_0001))),
    ])
    #expect(cameras.map(\.node) == ["/dev/video0"])
    #expect(
      cameras.first?.fingerprint
        == CameraFingerprint(
          vendor: "046d", product: "0825", serial: "A1", interface: "00", card: "Cam"))
    #expect(cameras.first?.place == CameraPlace(.usbPort, "pci-usb-0:1:1.0", interface: "00"))
  }

  @Test("several capture nodes of one function are one camera: the first that works")
  func oneFunction() {
    let candidates: [CameraSelection.Candidate] = [
      .init(node("/sys/1-1:1.0/video4linux/video0", index: 0, webcam), .success(facts(0x0420_0001, formats: 0))),
      .init(node("/sys/1-1:1.0/video4linux/video2", index: 2, webcam), .success(facts(0x0420_0001))),
      .init(node("/sys/1-1:1.0/video4linux/video1", index: 1, webcam), .success(facts(0x0420_0001))),
    ]
    #expect(CameraSelection.cameras(among: candidates).map(\.node) == ["/dev/video1"])
    #expect(CameraSelection.cameras(among: candidates.reversed()).map(\.node) == ["/dev/video1"])
  }

  @Test("two functions of one device are two cameras")
  func twoFunctions() {
    var second = webcam
    second["ID_USB_INTERFACE_NUM"] = "02"
    second["ID_PATH"] = "pci-usb-0:1:1.2"
    let cameras = CameraSelection.cameras(among: [
      .init(node("/sys/1-1:1.0/video4linux/video0", webcam), .success(facts(0x0420_0001))),
      .init(node("/sys/1-1:1.2/video4linux/video1", second), .success(facts(0x0420_0001))),
    ])
    #expect(cameras.map(\.fingerprint.interface) == ["00", "02"])
  }

  @Test("virtual cameras that share a path are told apart by their bus")
  func vivid() {
    let path = ["ID_PATH": "platform-vivid.0"]
    let cameras = CameraSelection.cameras(
      among: (0..<2).map { number in
        .init(
          node("/sys/devices/platform/vivid.0/video4linux/video\(number)", path),
          .success(facts(0x8520_0001, driver: "vivid", bus: "platform:vivid-00\(number)")))
      })
    #expect(cameras.map(\.place.path) == ["vivid-platform:vivid-000-0", "vivid-platform:vivid-001-0"])
    #expect(cameras.map(\.port) == ["platform-vivid.0", "platform-vivid.0"])
  }

  @Test("a USB camera that another program holds for itself is known by what udev says")
  func busy() {
    let found = node("/sys/1-1:1.0/video4linux/video0", webcam)
    let asked = CameraSelection.cameras(among: [.init(found, .success(facts(0x0420_0001)))])
    let held = CameraSelection.cameras(among: [.init(found, .failure(.busy("held")))])
    #expect(held.map(\.place) == asked.map(\.place))
    #expect(held.first?.fingerprint.serial == "A1")
    #expect(held.first?.problem == nil)
    let denied = CameraSelection.cameras(among: [.init(found, .failure(.notYetOurs("group video")))])
    #expect(denied.first?.problem == CameraTrouble(.failed, .noPermission, "group video"))
    #expect(CameraSelection.cameras(among: [.init(found, .failure(.gone))]).isEmpty)
  }
}
